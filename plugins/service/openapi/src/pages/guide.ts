import { readdir, readFile } from 'node:fs/promises';
import { extname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlatenError } from '@platen/kernel';
import type { Router } from '@platen/server';
import { inlineScripts, send, type SentFile, toFile, TYPES } from './routes.js';

/** The documentation, if `npm run docs` has built it. Trimmed builds look for such URLs and copy the directory. */
const BUILT = new URL('../../guide/', import.meta.url);

export const GUIDE = '/guide';
export const LLMS = '/llms.txt';

/** The name of a file of the guide by its path in URLs: only these are ever read. */
type GuideFiles = ReadonlyMap<string, string>;

/** `GET /guide/...`, and `/llms.txt` for agents. Each file is read when it is first requested. */
export function addGuide(router: Router): void {
  let listed: Promise<GuideFiles> | undefined;
  const read = new Map<string, SentFile>();
  router.get(GUIDE, (ctx) => {
    ctx.redirect('guide/');
  });
  for (const path of [`${GUIDE}/`, `${GUIDE}/*file`, LLMS]) {
    router.get(path, async (ctx) => {
      const files = await (listed ??= listFiles());
      const place = ctx.path === LLMS ? 'llms.txt' : decode(ctx.path.slice(GUIDE.length + 1));
      const name = files.get(place) ?? files.get(`${place}.html`) ?? files.get(`${place}index.html`);
      if (name === undefined) throw noPageError(files, ctx.path);
      const file = read.get(name) ?? (await readGuideFile(name));
      read.set(name, file);
      send(ctx, file);
    });
  }
}

async function listFiles(): Promise<GuideFiles> {
  const folder = fileURLToPath(BUILT);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const names = entries.filter((entry) => entry.isFile()).map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  return new Map(names.filter((name) => extname(name) in TYPES).map((name) => [name.replaceAll(sep, '/'), name]));
}

function noPageError(files: GuideFiles, path: string): PlatenError {
  const why =
    files.size === 0
      ? 'the documentation is not part of this installation: in a clone, `npm run docs` builds it'
      : `the guide has no page ${path}`;
  return new PlatenError('not_found', why);
}

/** Names in `assets/` have a digest of their content. */
async function readGuideFile(name: string): Promise<SentFile> {
  const file = toFile(name, await readFile(join(fileURLToPath(BUILT), name)));
  if (name.endsWith('.html')) return { ...file, policy: policyOf(file.body.toString()) };
  return name.startsWith('assets') ? { ...file, caching: 'public, max-age=31536000, immutable' } : file;
}

/**
 * The pages run their own modules and the scripts that are written in them, such as the one that chooses dark colors. As for the
 * playground, a second policy keeps rendered content at `/` from running here.
 */
function policyOf(html: string): string {
  const inline = inlineScripts(html);
  const rules = [
    "default-src 'none'",
    `script-src 'self' ${inline}`,
    "style-src 'self'",
    // Colors of code.
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  return `${rules.join('; ')}, script-src *:*${GUIDE}/ ${inline}`;
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
