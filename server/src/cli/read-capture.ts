import { stat } from 'node:fs/promises';
import { extname, resolve } from 'node:path';
import { describeReadError, type Kernel, type OutputDeclaration, readGivenFile, withScheme } from '@platen/kernel';
import type { Boot } from '../boot/boot.js';
import type { Io } from '../boot/io.js';
import { DOCUMENT } from '../boot/needed-plugins.js';
import { outputTypeOf, withCompression } from '../boot/output-type.js';
import { unknownArgumentError } from '../boot/unknown-argument.js';
import { UsageError } from '../flags/usage-error.js';
import { type CaptureTarget, readLocalTarget, readStandardInput } from './local-target.js';

/** Paths of stdout: they have no extension that names a format, and are already open. */
const STDOUT: ReadonlySet<string> = new Set(['/dev/stdout', '/dev/fd/1', '/proc/self/fd/1']);

export interface CaptureArguments {
  readonly target: CaptureTarget;
  /** The output file; `-` is stdout. */
  readonly file: string | undefined;
}

/** The arguments `URL [FILE]`. */
export async function readCapture(
  boot: Pick<Boot, 'positionals' | 'request' | 'misplaced' | 'keys' | 'loaded'>,
  { cwd, openStdin }: Pick<Io, 'cwd' | 'openStdin'>,
): Promise<CaptureArguments> {
  const [word, named, ...rest] = boot.positionals;
  if (word === undefined) throw new UsageError('a URL is missing', '`platen --help` shows the usage');
  if (rest[0] !== undefined)
    throw (
      unknownArgumentError(boot.positionals.slice(1), boot) ??
      new UsageError(`unexpected argument "${rest[0]}": give a URL and at most one file`)
    );
  const target = await readTarget(word, { file: named, cwd, openStdin, isList: boot.request.crawl_url_is_sitemap !== undefined });
  return { target, file: named !== undefined && STDOUT.has(named) ? '-' : named };
}

/** A document in a folder whose name has no dot, or alone with an extension that is no top-level domain: not a host. */
const FILE = /^(?!localhost\/)[^/.:]+\/[^:]*\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$|^[^/:]+\.(?:x?html?|svg|xml|txt|pdf|png|jpe?g)$/i;

const LIST_TYPES: Readonly<Record<string, string>> = { '.xml': 'application/xml', '.gz': 'application/gzip' };

export interface TargetOptions extends Pick<Io, 'cwd' | 'openStdin'> {
  /** The output file. */
  readonly file: string | undefined;
  /** The target is a list of URLs, which may be a local file. */
  readonly isList: boolean;
}

/**
 * The target of a single capture. Of a URL, the scheme may be omitted, as in `example.com`; a URL with a scheme is not changed. A file of URLs
 * becomes a data: URL; other files are uploaded.
 *
 * @throws UsageError for a file that cannot be read
 */
export async function readTarget(word: string, { file, cwd, openStdin, isList }: TargetOptions): Promise<CaptureTarget> {
  if (file !== undefined && /^(?:https?|data):/i.test(file))
    throw new UsageError(`${file.slice(0, 80)} is in the place of the file`, 'the URL comes first: platen URL FILE');
  if (word === '-') return await readStandardInput({ openStdin });
  const url = withScheme(word);
  const path = resolve(cwd, word);
  const isFolder = word.endsWith('/') && (await isFile(resolve(path, 'index.html')));
  if (!/^[./~]/.test(word) && !isFolder && !(DOCUMENT.test(word) && (await isFile(path)))) {
    if (!FILE.test(word)) return { params: { url: url ?? word } };
    throw new UsageError(`${word} cannot be read: there is no such file`, `a host without a dot needs a scheme: http://${word}`);
  }
  if (!isList) return await readLocalTarget(word, cwd);
  const list = await readGivenFile(path).catch((error: unknown) => {
    throw new UsageError(`${word} cannot be read: ${describeReadError(error)}`);
  });
  return { params: { url: `data:${LIST_TYPES[extname(path)] ?? 'text/plain'};base64,${list.toString('base64')}` } };
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
