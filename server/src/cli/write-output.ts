import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, open, readlink, realpath, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type CollectedAssets, isMissing, type Output, type RenderPlan, type StoredAsset } from '@platen/kernel';
import type { Io } from '../boot/io.js';
import { OutputError } from '../flags/exit-codes.js';
import { nameFile } from '../service/file-name.js';

/** Writes the output to a stream that stays open: stdout. Resolves with the number of bytes. */
export async function writeToStream({ body }: Output, stream: Writable): Promise<number> {
  let bytes = 0;
  const source = Buffer.isBuffer(body) ? Readable.from([body], { objectMode: false }) : body;
  source.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
  });
  try {
    await pipeline(source, stream, { end: false });
  } catch (error) {
    throw toOutputError(error, 'the output');
  }
  return bytes;
}

/** Throws if the file cannot be written, before a browser starts. */
export async function assertWritable(path: string): Promise<void> {
  try {
    const { target, inPlace } = await findDestination(path);
    await access(inPlace ? target : dirname(target), constants.W_OK);
  } catch (error) {
    throw toOutputError(error, path);
  }
}

/** Whether a file can be stored beside it: it is a file, or will be, and not a device, pipe or open descriptor. */
async function hasPlaceBeside(path: string): Promise<boolean> {
  return findDestination(path).then(
    ({ inPlace }) => !inPlace,
    () => true,
  );
}

/** The path of a file that will be there: its links are followed. Undefined for a device, pipe or open descriptor, and if it cannot be written. */
export async function targetOf(path: string): Promise<string | undefined> {
  return findDestination(path).then(
    ({ target, inPlace }) => (inPlace ? undefined : target),
    () => undefined,
  );
}

/**
 * Writes the output to a file, which appears complete or not at all. Resolves with the number of bytes.
 *
 * @param folder of the incomplete file, on the same file system; default: the file's own
 */
export async function writeToFile({ body }: Pick<Output, 'body'>, path: string, folder?: string): Promise<number> {
  let part: string | undefined;
  try {
    const { target, inPlace } = await findDestination(path);
    if (!inPlace) part = join(folder ?? dirname(target), `.platen-${randomUUID()}.part`);
    // Appends to the file of an open descriptor, so that its content remains, as with `>> FILE`.
    const file = createWriteStream(part ?? target, { flags: inPlace ? 'a' : 'wx' });
    await pipeline(Buffer.isBuffer(body) ? [body] : body, file);
    if (part !== undefined) await rename(part, target);
    return file.bytesWritten;
  } catch (error) {
    // If the partial file cannot be removed, it does not exist, or the original error reports the cause.
    if (part !== undefined) await rm(part, { force: true }).catch(() => undefined);
    throw toOutputError(error, path);
  }
}

/** As `writeToFile`, under a name that the target has given, which replaces no file. Resolves with the number of bytes. */
export async function writeToNewFile(output: Pick<Output, 'body'>, path: string): Promise<number> {
  try {
    await (await open(path, 'wx')).close();
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw toOutputError(error, path);
    const cure = 'it exists already, and its name is from the target: name the file yourself, as in `platen URL FILE`';
    throw new OutputError(`cannot write ${path}: ${cure}`, { cause: error });
  }
  try {
    return await writeToFile(output, path);
  } catch (error) {
    await rm(path, { force: true }).catch(() => undefined);
    throw error;
  }
}

/**
 * Writes each additional asset beside the output file (`page.png`, `page.har`) and reports it. If the output is stdout, a device or a pipe,
 * it uses the current folder and the page's name. Also reports assets that are missing or incomplete.
 */
export async function writeAssets(
  { kept, missing }: CollectedAssets,
  plan: RenderPlan,
  { file, source, io }: { readonly file: string; readonly source: string | undefined; readonly io: Io },
): Promise<void> {
  const beside = file !== '-' && (await hasPlaceBeside(resolve(io.cwd, file))) ? file : undefined;
  const taken = new Set([file, ...(source === undefined ? [] : [source])].map((path) => resolve(io.cwd, path)));
  for (const asset of kept) {
    const name = nameAsset(asset, { plan, beside, isTaken: (path) => taken.has(resolve(io.cwd, path)) });
    taken.add(resolve(io.cwd, name));
    const bytes = await writeToFile({ body: asset.open() }, resolve(io.cwd, name));
    io.stderr.write(`${name} (${String(bytes)} bytes)\n`);
    if (asset.incomplete !== undefined) io.stderr.write(`${name} is incomplete: ${asset.incomplete}\n`);
  }
  for (const { name, reason } of missing) io.stderr.write(`${name} is missing: ${reason}\n`);
}

interface Beside {
  readonly plan: RenderPlan;
  /** The output file; undefined if no file can be stored beside it. */
  readonly beside: string | undefined;
  readonly isTaken: (path: string) => boolean;
}

function nameAsset({ name, extension }: StoredAsset, { plan, beside, isTaken }: Beside): string {
  if (beside === undefined) return nameFile(plan.url, extension);
  // Of a render that failed once it was encoded.
  if (name === 'output') return beside;
  const stem = join(dirname(beside), basename(beside, extname(beside)));
  const plain = `${stem}.${extension}`;
  return isTaken(plain) ? `${stem}.${name}.${extension}` : plain;
}

interface Destination {
  readonly target: string;
  /** True for a device, a pipe or an open descriptor: replacing it would be a surprise. */
  readonly inPlace: boolean;
}

async function findDestination(path: string): Promise<Destination> {
  const found = await stat(path).catch((error: unknown) => {
    // A file that does not exist yet is fine.
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (found?.isDirectory() === true) throw new OutputError(`cannot write ${path}: it is a folder`);
  const target = await followLinks(path);
  return { target, inPlace: isDescriptor(target) || (found !== undefined && !found.isFile()) };
}

/** Follows the symbolic links of a path, even if their target does not exist yet. `stat` detects cycles before. */
async function followLinks(path: string): Promise<string> {
  const here = join(await realpath(dirname(path)), basename(path));
  // The target of such a link, `pipe:[7]` or `/tmp/x (deleted)`, is not necessarily a path.
  if (isDescriptor(here)) return here;
  const link = await readlink(here).catch(() => undefined);
  return link === undefined ? here : await followLinks(resolve(dirname(here), link));
}

function isDescriptor(path: string): boolean {
  return /^\/(?:proc|dev\/fd)\//.test(path);
}

/** The error as the user sees it: an error of the file system names the path and the reason. */
export function toOutputError(error: unknown, path: string): unknown {
  if (!(error instanceof Error) || !('syscall' in error) || !('code' in error)) return error;
  return new OutputError(`cannot write ${path}: ${REASONS[String(error.code)] ?? String(error.code)}`, { cause: error });
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such folder',
  EACCES: 'not allowed',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EISDIR: 'it is a folder',
  ENAMETOOLONG: 'its name is too long',
  ENOTDIR: 'a part of the path is not a folder',
  ELOOP: 'its symbolic links form a loop',
  ENXIO: 'it is a socket, which cannot be opened by its path',
};
