import { readFile, stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { type Kernel, type OutputDeclaration, withScheme } from '@platen/kernel';
import type { Boot } from '../boot/boot.js';
import type { Io } from '../boot/io.js';
import { outputTypeOf, withCompression } from '../boot/output-type.js';
import { unknownArgumentError } from '../boot/unknown-argument.js';
import { UsageError } from '../flags/usage-error.js';

/** Paths of stdout: they have no extension that names a format, and are already open. */
const STDOUT: ReadonlySet<string> = new Set(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

export interface CaptureArguments {
  readonly url: string;
  /** The output file; `-` is stdout. */
  readonly file: string | undefined;
}

/** The arguments `URL [FILE]`. */
export async function readCapture(
  boot: Pick<Boot, 'positionals' | 'request' | 'misplaced' | 'keys' | 'loaded'>,
  { cwd }: Pick<Io, 'cwd'>,
): Promise<CaptureArguments> {
  const [word, named, ...rest] = boot.positionals;
  if (word === undefined) throw new UsageError('a URL is missing', '`platen --help` shows the usage');
  if (rest[0] !== undefined)
    throw (
      unknownArgumentError(boot.positionals.slice(1), boot) ??
      new UsageError(`unexpected argument "${rest[0]}": give a URL and at most one file`)
    );
  const url = await readTarget(word, { file: named, cwd, isList: boot.request.crawl_url_is_sitemap !== undefined });
  return { url, file: named !== undefined && STDOUT.has(named) ? '-' : named };
}

/** File extensions of documents: in a word with one of them, the last part is not a top-level domain. */
const DOCUMENT = /\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$/i;

const LIST_TYPES: Readonly<Record<string, string>> = { '.xml': 'application/xml', '.gz': 'application/gzip' };

export interface TargetOptions {
  /** The output file. */
  readonly file: string | undefined;
  readonly cwd: string;
  /** The target is a list of URLs, which may be a local file. */
  readonly isList: boolean;
}

/**
 * The URL of a single capture: the scheme may be omitted, as in `example.com`; a URL with a scheme is not changed. A file of URLs becomes a
 * data: URL.
 *
 * @throws UsageError for other files
 */
export async function readTarget(word: string, { file, cwd, isList }: TargetOptions): Promise<string> {
  if (file !== undefined && /^(?:https?|data):/i.test(file))
    throw new UsageError(`${file.slice(0, 80)} is in the place of the file`, 'the URL comes first: platen URL FILE');
  const url = withScheme(word);
  const path = resolve(cwd, word);
  if (!/^[./~]/.test(word) && (url === undefined || !DOCUMENT.test(word) || !(await isFile(path)))) return url ?? word;
  if (isList && (await isFile(path)))
    return `data:${LIST_TYPES[extname(path)] ?? 'text/plain'};base64,${(await readFile(path)).toString('base64')}`;
  throw new UsageError(
    `${word} is a file; Platen renders URLs`,
    'serve its folder over HTTP, or use a data: URL; --crawl-url-is-sitemap archives the URLs in a file',
  );
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

type Raw = Readonly<Record<string, unknown>>;

interface Chosen {
  readonly file: string | undefined;
  readonly kernel: Pick<Kernel, 'plugins' | 'schema'>;
  readonly boot: Pick<Boot, 'positionals' | 'misplaced' | 'keys' | 'loaded'>;
}

/** The file extension selects the format unless `--output-type` does, and the compression. */
export function withOutputType(raw: Raw, { file, kernel, boot }: Chosen): Raw {
  if (raw.diagnostics === true || file === undefined || file === '-') return raw;
  const outputs = declaredOutputs(kernel);
  if (raw.output_type !== undefined) return withCompression(raw, file, outputs);
  const unknown = extname(file) === '' ? unknownArgumentError(boot.positionals.slice(1), boot) : undefined;
  if (unknown !== undefined) throw unknown;
  return withCompression({ ...raw, output_type: outputTypeOf(file, outputs, kernel.schema.absent) }, file, outputs);
}

export function declaredOutputs({ plugins }: Pick<Kernel, 'plugins'>): readonly OutputDeclaration[] {
  return plugins.flatMap(({ definition }) => definition.outputs ?? []);
}
