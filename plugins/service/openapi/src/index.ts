import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { buildDocument } from './document/build-document.js';
import { addGuide, GUIDE, LLMS } from './pages/guide.js';
import {
  addRoutes,
  allowUnauthenticatedPages,
  loadStaticFiles,
  placeFiles,
  type SentFile,
  type StaticFile,
  toFile,
} from './pages/routes.js';

const DOCUMENT = '/openapi.json';
const PAGES = ['/docs', '/playground', '/playground/:file'];

/** Serves an OpenAPI document of the running server, an API page and a playground. */
export default definePlugin({
  name: 'openapi',
  flags: {
    'server-enable-schema': {
      type: 'boolean',
      description: 'Serve the OpenAPI document at /openapi.json.',
      default: false,
      'x-paths': [DOCUMENT],
    },
    'server-enable-docs': {
      type: 'boolean',
      description:
        'Serve an API page at /docs, a playground at /playground, the documentation at /guide/ where it is built, and the OpenAPI document at /openapi.json.',
      default: false,
      'x-paths': ['/playground', '/docs', GUIDE, LLMS, DOCUMENT],
    },
  },
  serve(server, { options }) {
    const pages = options['server-enable-docs'] === true;
    if (options['server-enable-schema'] !== true && !pages) return;
    let files: readonly (readonly [path: string, file: SentFile])[] = [];
    let document: StaticFile | undefined;
    const describe = () => (document ??= toFile(DOCUMENT, Buffer.from(`${JSON.stringify(buildDocument(server, { pages }))}\n`)));
    // All plugins have described their endpoints by then; an invalid description fails the startup.
    server.hooks.start.tapPromise('openapi', async () => {
      files = pages ? [...placeFiles(await loadStaticFiles())] : [];
      describe();
    });
    // The next request gets a document with the new credentials.
    server.hooks.reload.tap('openapi', (_, commit) => {
      commit(() => {
        document = undefined;
      });
    });
    server.hooks.routes.tap('openapi', (router) => {
      addRoutes(router, pages ? [DOCUMENT, ...PAGES] : [DOCUMENT], () => new Map([...files, [DOCUMENT, describe()]]));
    });
    if (!pages) return;
    server.hooks.routes.tap('openapi', addGuide);
    allowUnauthenticatedPages(server);
  },
});
