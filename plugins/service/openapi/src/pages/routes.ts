import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PlatenError, type ServerApi, Stage } from '@platen/kernel';
import type { RouteContext, Router } from '@platen/server';
import { asksForToken } from '../document/security.js';

/**
 * The pages run only their own modules and connect only to this server; rendered content is shown from memory. A script must pass two
 * policies: `'self'` has no path and would allow rendered content at `/`; a path requires a host, and the server does not know its name
 * behind a proxy.
 */
const PAGE_RULES = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob: data:",
  "frame-src 'self' blob:",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
];

const OWN_FILES = ['script-src *:*/playground/', 'style-src *:*/playground/'];
const PAGE_POLICY = [PAGE_RULES, OWN_FILES].map((rules) => rules.join('; ')).join(', ');

/** A file with its response headers. */
export interface SentFile extends StaticFile {
  readonly policy?: string;
  /** `Cache-Control`, if the name changes with the content. */
  readonly caching?: string;
}

/** The served files by path. */
export type Site = ReadonlyMap<string, SentFile>;

const FRAME = 'frame.html';
const PAGES: ReadonlyMap<string, string> = new Map([
  ['docs.html', '/docs'],
  ['playground.html', '/playground'],
  [FRAME, '/playground/frame'],
]);

/** The paths of the pages and their files, without the document. */
export function placeFiles(files: ReadonlyMap<string, StaticFile>): Site {
  return new Map(
    [...files.values()].map((file) => {
      const path = PAGES.get(file.name);
      if (path === undefined) return [`/playground/${file.name}`, file];
      return [path, { ...file, policy: file.name === FRAME ? framePolicy(file.body.toString()) : PAGE_POLICY }];
    }),
  );
}

/** `GET` of each path; the site is complete once the server listens. */
export function addRoutes(router: Router, paths: readonly string[], site: () => Site): void {
  for (const path of paths) {
    router.get(path, (ctx) => {
      const file = site().get(ctx.path);
      if (file === undefined) throw new PlatenError('not_found', 'the playground has no such file');
      send(ctx, file);
    });
  }
}

export function send(ctx: RouteContext, { contentType, body, etag, policy, caching = 'no-cache' }: SentFile): void {
  if (policy !== undefined) ctx.set('Content-Security-Policy', policy);
  // Small files that change with updates: revalidating costs less than a stale copy.
  ctx.set('Cache-Control', caching);
  ctx.set('ETag', etag);
  ctx.set('Content-Type', contentType);
  if (holds(ctx.get('If-None-Match'), etag)) {
    ctx.status = 304;
    return;
  }
  ctx.status = 200;
  ctx.body = body;
}

/** RFC 9110, 13.1.2: weak comparison. */
function holds(condition: string, etag: string): boolean {
  return condition.split(',').some((given) => given.trim() === '*' || given.trim().replace(/^W\//, '') === etag);
}

/**
 * The page that shows rendered HTML: an opaque origin, only the script that receives the HTML, and only connections for images,
 * styles, fonts and media.
 */
function framePolicy(html: string): string {
  return [
    "default-src 'none'",
    `script-src ${inlineScripts(html)}`,
    "style-src * data: blob: 'unsafe-inline'",
    'img-src * data: blob:',
    'font-src * data: blob:',
    'media-src * data: blob:',
    "form-action 'none'",
    "frame-ancestors 'self'",
    'sandbox allow-scripts',
  ].join('; ');
}

/** Sources of a `script-src` that allow the scripts that are written in a page (CSP 3, 2.3.1). */
export function inlineScripts(html: string): string {
  const scripts = html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g);
  return Array.from(scripts, ([, script = '']) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`).join(' ');
}

/** The pages and their files; not the document, which describes this server. */
const SHELL = /^\/(?:docs|playground(?:\/[\w.-]+)?|guide(?:\/.*)?|llms\.txt)$/;

/**
 * A browser cannot send a token when it opens a page. So the pages are served without a token, ask the user for it, and send it with
 * their requests. They are the same on every server and contain no data of it.
 */
export function allowUnauthenticatedPages(server: ServerApi): void {
  server.hooks.authorize.tap({ name: 'openapi', stage: Stage.first }, ({ method, path, headers }) =>
    (method === 'GET' || method === 'HEAD') && headers.authorization === undefined && SHELL.test(path) && asksForToken(server)
      ? {}
      : undefined,
  );
}

/** Pages, styles and compiled browser modules. Trimmed builds look for such URLs and copy both directories. */
const STATIC = new URL('../../static/', import.meta.url);
const COMPILED = new URL('../../dist/browser/', import.meta.url);

export const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
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
