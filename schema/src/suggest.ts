import type { Fragments } from './fragment.js';
import { fold } from './nearest.js';

interface SuggestOptions {
  /** Of everything that the name may be meant for. */
  readonly fragments: Fragments;
  /** The output type that goes by the name. */
  readonly outputType?: string | undefined;
  /** A key, or a key with a value, as it is written where the name stood. */
  write?(key: string, value?: string): string;
}

/**
 * What to write in place of a name that other tools have, as a sentence: from the `x-synonyms` of the fragments, and since an output type
 * is a value and not a key. Undefined where the name says nothing.
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
