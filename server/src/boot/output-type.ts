import { basename } from 'node:path';
import type { Output, OutputDeclaration } from '@platen/kernel';
import type { MissingPart } from '@platen/schema';
import { missingPluginError, UsageError } from '../flags/usage-error.js';

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
  const choice = asSent === undefined ? '' : ` (${asSent.type}: the file as the site sent it)`;
  throw new UsageError(
    ending === '' ? `"${file}" has no extension that determines the format` : `no enabled plugin creates ".${ending}" files`,
    `known extensions: ${known.join(', ')}; or choose with --output-type${choice}`,
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
  return `${file} contains ${type}, but its extension means ${others.join(' or ')}`;
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

type Raw = Readonly<Record<string, unknown>>;

/**
 * Reads from a file extension whether an output is gzipped: `page.trace.json` is plain, `page.trace.json.gz` is gzipped; for any other
 * extension the switch decides. Rejects a switch that contradicts the extension.
 */
export function withCompression(raw: Raw, file: string, outputs: readonly OutputDeclaration[]): Raw {
  const output = outputs.find(({ type }) => type === raw.output_type);
  const { noGzipKey: key } = output ?? {};
  if (output === undefined || key === undefined) return raw;
  const packed = isPacked(file, output.extension);
  const given = raw[key];
  if (packed === undefined || (given !== undefined && typeof given !== 'boolean')) return raw;
  if (given !== packed) return { ...raw, [key]: !packed };
  const flag = `--${key.replaceAll('_', '-')}`;
  throw packed
    ? new UsageError(`"${file}" has the extension of a gzip file, but ${flag} disables gzip`, `omit ${flag}, or the ".gz"`)
    : new UsageError(`"${file}" has the extension of a plain file, but ${flag}=false requests gzip`, `omit ${flag}, or add ".gz"`);
}

/** `extension` is the extension of the gzip file: trace.json.gz. */
function isPacked(file: string, extension: string): boolean | undefined {
  const name = file.toLowerCase();
  if (name.endsWith('.gz')) return true;
  const plain = extension.split('.').at(-2) ?? '';
  return name.endsWith(`.${plain}`) ? false : undefined;
}
