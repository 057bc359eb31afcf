import { basename } from 'node:path';
import type { Output, OutputDeclaration } from '@platen/kernel';
import type { MissingPart } from '@platen/schema';
import { missingPluginError, UsageError } from './usage-error.js';

/** The output type of a file extension. */
export function outputTypeOf(file: string, outputs: readonly OutputDeclaration[], absent: readonly MissingPart[] = []): string {
  const ending = endingOf(file, outputs);
  const fitting = typesFor(ending, outputs);
  const [found, other] = fitting;
  if (found !== undefined && other === undefined) return found;
  if (other !== undefined) throw new UsageError(`".${ending}" may be ${fitting.join(' or ')}`, 'choose with --output-type');
  const owner = absent.find((part) => part.outputs.includes(ending));
  if (owner !== undefined) throw missingPluginError(`".${ending}"`, owner);
  const known = [...new Set(outputs.flatMap(({ type, extension, endings = [] }) => [type, extension, ...endings]))].sort();
  // Outputs that may have any content type.
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

/** The warning for a file whose extension does not match its content; undefined if it matches or is unknown. */
export function extensionWarning({ file, type, output }: NamedOutput, outputs: readonly OutputDeclaration[]): string | undefined {
  const ending = endingOf(file, outputs);
  const chosen = outputs.filter((declared) => declared.type === type);
  // An output that may have any content type does not match any extension.
  const others = typesFor(
    ending,
    outputs.filter(({ contentType }) => contentType !== 'application/octet-stream'),
  );
  if (others.length === 0 || typesFor(ending, chosen).length > 0 || isOf(ending, output)) return undefined;
  return `${file} holds ${type}, though its ending stands for ${others.join(' or ')}`;
}

/** The extension from the first dot that yields a known one, such as `trace.json.gz` or `gz`; else from the last dot. */
function endingOf(file: string, outputs: readonly OutputDeclaration[]): string {
  const [, ...parts] = basename(file).toLowerCase().replace(/^\./, '').split('.');
  const endings = parts.map((_, index) => parts.slice(index).join('.'));
  return endings.find((ending) => typesFor(ending, outputs).length > 0) ?? parts.at(-1) ?? '';
}

/** The output types of an extension: the type of that name, else all types with files of that extension. */
export function typesFor(ending: string, outputs: readonly OutputDeclaration[]): readonly string[] {
  const named = outputs.find(({ type, aliases = [], endings = [] }) => [type, ...aliases, ...endings].includes(ending));
  return named === undefined ? outputs.filter((output) => isOf(ending, output)).map(({ type }) => type) : [named.type];
}

/** The subtype of a media type is an extension, too: image/jpeg. An extension in several parts also matches by its last parts. */
function isOf(ending: string, { extension, contentType }: NamedOutput['output']): boolean {
  return (ending !== '' && `.${extension}`.endsWith(`.${ending}`)) || contentType.split(/[/;]/)[1] === ending;
}
