import type { OutputDeclaration } from '@platen/kernel';
import { UsageError } from './usage-error.js';

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
    ? new UsageError(`"${file}" ends as a gzip file does, and ${flag} makes none`, `leave ${flag} out, or the ".gz"`)
    : new UsageError(`"${file}" ends as a plain file does, and ${flag}=false asks for gzip`, `leave ${flag} out, or add ".gz"`);
}

/** `extension` is the extension of the gzip file: trace.json.gz. */
function isPacked(file: string, extension: string): boolean | undefined {
  const name = file.toLowerCase();
  if (name.endsWith('.gz')) return true;
  const plain = extension.split('.').at(-2) ?? '';
  return name.endsWith(`.${plain}`) ? false : undefined;
}
