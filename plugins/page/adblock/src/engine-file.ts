import { createHash, randomUUID } from 'node:crypto';
import { chmod, lstat, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import type { CachedEngine, EngineFacts } from './build-worker.js';

/** Maximum number of cached engines: for other lists, and for earlier versions of the same lists. */
const MAX_FILES = 4;
const ENDING = '.engine';

/** Engines cached on disk. The key is a digest of everything that the engine was built from. */
export interface EngineFiles {
  /** Undefined if the engine is not cached or the file is damaged. */
  read(key: string): Promise<CachedEngine | undefined>;
  write(key: string, engine: CachedEngine): Promise<void>;
}

/** The user's cache directory (XDG Base Directory), otherwise the temporary directory. */
export function engineFolder({ XDG_CACHE_HOME, HOME }: Readonly<Record<string, string | undefined>> = process.env): string {
  const cache = XDG_CACHE_HOME?.startsWith('/') === true ? XDG_CACHE_HOME : HOME === undefined ? undefined : join(HOME, '.cache');
  return join(cache === undefined ? join(tmpdir(), `platen-cache-${userInfo().username}`) : join(cache, 'platen'), 'adblock-1');
}

export function createEngineFiles(folder: string): EngineFiles {
  const pathOf = (key: string): string => join(folder, `${key}${ENDING}`);
  return {
    async read(key) {
      if (!(await isOwn(folder))) return undefined;
      const file = await readFile(pathOf(key)).catch(() => undefined);
      return file && parseFile(file);
    },
    async write(key, engine) {
      await openPrivate(folder);
      const part = join(folder, `${randomUUID()}.part`);
      try {
        await writeFile(part, formatFile(engine), { mode: 0o600, flag: 'wx' });
        await rename(part, pathOf(key));
      } finally {
        await rm(part, { force: true });
      }
      await forgetOld(folder);
    },
  };
}

/** One line of JSON, followed by the bytes of the engine. */
function formatFile({ bytes, facts }: CachedEngine): Buffer {
  return Buffer.concat([Buffer.from(`${JSON.stringify({ ...facts, sha256: digestOf(bytes) })}\n`), bytes]);
}

function parseFile(file: Buffer): CachedEngine | undefined {
  const end = file.indexOf('\n');
  // Copied because the engine reads 32-bit words, which must be aligned.
  const bytes = new Uint8Array(file.subarray(end + 1));
  try {
    const head: unknown = JSON.parse(file.subarray(0, end).toString());
    if (!isHead(head) || head.sha256 !== digestOf(bytes)) return undefined;
    const { rules, skipped, cosmetic } = head;
    return { bytes, facts: { rules, skipped, cosmetic } };
  } catch {
    return undefined;
  }
}

function isHead(head: unknown): head is EngineFacts & { readonly sha256: string } {
  if (typeof head !== 'object' || head === null) return false;
  return ['rules', 'skipped', 'cosmetic'].every((name) => typeof Reflect.get(head, name) === 'number') && 'sha256' in head;
}

function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** Creates a directory that only this user can access. */
async function openPrivate(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (!(await isOwn(folder))) throw new Error(`${folder} belongs to another user`);
  await chmod(folder, 0o700);
}

/** An engine written by another user is not trusted. */
async function isOwn(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

async function forgetOld(folder: string): Promise<void> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(ENDING));
  const dated = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(folder, name))).mtimeMs })));
  const old = dated.sort((a, b) => b.at - a.at).slice(MAX_FILES);
  await Promise.all(old.map(({ name }) => rm(join(folder, name), { force: true })));
}
