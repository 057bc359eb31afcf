import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Pages, styles and compiled browser modules. Trimmed builds look for such URLs and copy both directories. */
const STATIC = new URL('../../static/', import.meta.url);
const COMPILED = new URL('../../dist/browser/', import.meta.url);

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

export interface StaticFile {
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** Strong: a digest of the body. */
  readonly etag: string;
}

/** The files of the pages by name. Rejects if the package was not built. */
export async function loadStaticFiles(): Promise<ReadonlyMap<string, StaticFile>> {
  const files = (await Promise.all([STATIC, COMPILED].map(loadFolder))).flat();
  return new Map(files.map((file) => [file.name, file]));
}

async function loadFolder(folder: URL): Promise<readonly StaticFile[]> {
  const names = (await readdir(fileURLToPath(folder))).filter((name) => extname(name) in TYPES);
  return await Promise.all(names.map(async (name) => toFile(name, await readFile(new URL(name, folder)))));
}

export function toFile(name: string, body: Buffer, contentType = TYPES[extname(name)] ?? 'application/json'): StaticFile {
  return { name, contentType, body, etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"` };
}
