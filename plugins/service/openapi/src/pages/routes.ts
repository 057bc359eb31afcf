import { PlatenError, type ServerApi } from '@platen/kernel';
import { framePolicy, PAGE_POLICY } from './policies.js';
import type { StaticFile } from './static-files.js';

/** A file with its response headers. */
export interface SentFile extends StaticFile {
  readonly policy?: string;
}

/** The served files by path. */
export type Site = ReadonlyMap<string, SentFile>;

type Router = Parameters<Parameters<ServerApi['hooks']['routes']['tap']>[1]>[0];
type Context = Parameters<Extract<Parameters<Router['get']>[1], (...args: never) => unknown>>[0];

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

function send(ctx: Context, { contentType, body, etag, policy }: SentFile): void {
  if (policy !== undefined) ctx.set('Content-Security-Policy', policy);
  // Small files that change with updates: revalidating costs less than a stale copy.
  ctx.set('Cache-Control', 'no-cache');
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
