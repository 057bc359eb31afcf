import type { Fragments } from './fragment.js';
import { fold } from './nearest.js';

interface SuggestOptions {
  /** Suggestions from all names that may be intended. */
  readonly fragments: Fragments;
  /** The output type with this name. */
  readonly outputType?: string | undefined;
  /** A key, or a key with a value, in the notation of the original name. */
  write?(key: string, value?: string): string;
}

/**
 * A sentence with the replacement for a name used by other tools: from the `x-synonyms` of the fragments, or for an output type, which is a
 * value and not a key. Undefined for unknown names.
 */
export function suggest(name: string, { fragments, outputType, write = writeParameter }: SuggestOptions): string | undefined {
  const plain = fold(name);
  const claims = Object.entries(fragments).flatMap(([key, { 'x-synonyms': synonyms = {} }]) =>
    Object.entries(synonyms)
      .filter(([synonym]) => fold(synonym) === plain)
      .map(([, meaning]) => ({ key, meaning })),
  );
  const texts = claims.flatMap(({ meaning }) => (meaning === true ? [] : [meaning]));
  const meant = [
    ...claims.flatMap(({ key, meaning }) => (meaning === true ? [write(key)] : [])),
    ...(outputType === undefined ? [] : [write('output_type', outputType)]),
  ];
  const hints = [...texts, ...(meant.length === 0 ? [] : [`did you mean ${meant.join(' or ')}?`])];
  return hints.length === 0 ? undefined : hints.join('; ');
}

function writeParameter(key: string, value?: string): string {
  return value === undefined ? `"${key}"` : `${key}=${value}`;
}
