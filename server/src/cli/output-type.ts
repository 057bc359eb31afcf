import { basename } from 'node:path';
import type { Output, OutputDeclaration } from '@platen/kernel';
import type { MissingPart } from '@platen/schema';
import { missingPluginError, UsageError } from './usage-error.js';

/** The output type that a file's ending stands for. */
export function outputTypeOf(file: string, outputs: readonly OutputDeclaration[], absent: readonly MissingPart[] = []): string {
  const ending = endingOf(file, outputs);
  const fitting = typesFor(ending, outputs);
  const [found, other] = fitting;
  if (found !== undefined && other === undefined) return found;
  if (other !== undefined) throw new UsageError(`".${ending}" may be ${fitting.join(' or ')}`, 'choose with --output-type');
  const owner = absent.find((part) => part.outputs.includes(ending));
  if (owner !== undefined) throw missingPluginError(`".${ending}"`, owner);
  const known = [...new Set(outputs.flatMap(({ type, extension, endings = [] }) => [type, extension, ...endings]))].sort();
  // What says of itself that it may be anything.
  const asSent = outputs.find(({ contentType }) => contentType === 'application/octet-stream');
  const choice = asSent === undefined ? '' : ` (${asSent.type}: the file as the site sends it)`;
  throw new UsageError(
    ending === '' ? `"${file}" has no ending that would say the format` : `no enabled plugin makes ".${ending}" files`,
    `known endings: ${known.join(', ')}; or choose with --output-type${choice}`,
  );
}

interface NamedOutput {
  readonly file: string;
  readonly type: string;
  readonly output: Pick<Output, 'contentType' | 'extension'>;
}

/** What to tell of a file whose ending stands for something else than what is in it; undefined where it does not, or stands for nothing. */
export function extensionWarning({ file, type, output }: NamedOutput, outputs: readonly OutputDeclaration[]): string | undefined {
  const ending = endingOf(file, outputs);
  const chosen = outputs.filter((declared) => declared.type === type);
  // What says of itself that it may be anything is what no ending stands for.
  const others = typesFor(
    ending,
    outputs.filter(({ contentType }) => contentType !== 'application/octet-stream'),
  );
  if (others.length === 0 || typesFor(ending, chosen).length > 0 || isOf(ending, output)) return undefined;
  return `${file} holds ${type}, though its ending stands for ${others.join(' or ')}`;
}

/** What stands behind the first dot from which on it means something, `trace.json.gz` or `gz`; else behind the last. */
function endingOf(file: string, outputs: readonly OutputDeclaration[]): string {
  const [, ...parts] = basename(file).toLowerCase().replace(/^\./, '').split('.');
  const endings = parts.map((_, index) => parts.slice(index).join('.'));
  return endings.find((ending) => typesFor(ending, outputs).length > 0) ?? parts.at(-1) ?? '';
}

/** The output types that an ending stands for: the one that is called so, else all whose files have it. */
export function typesFor(ending: string, outputs: readonly OutputDeclaration[]): readonly string[] {
  const named = outputs.find(({ type, aliases = [], endings = [] }) => [type, ...aliases, ...endings].includes(ending));
  return named === undefined ? outputs.filter((output) => isOf(ending, output)).map(({ type }) => type) : [named.type];
}

/** A media type's own word is an ending, too: image/jpeg. Of an ending in several parts the last ones do. */
function isOf(ending: string, { extension, contentType }: NamedOutput['output']): boolean {
  return (ending !== '' && `.${extension}`.endsWith(`.${ending}`)) || contentType.split(/[/;]/)[1] === ending;
}
