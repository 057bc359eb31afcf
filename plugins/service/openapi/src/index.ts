import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { buildDocument } from './document/build-document.js';
import { allowUnauthenticatedPages } from './pages/allow-unauthenticated-pages.js';
import { addRoutes, placeFiles, type SentFile } from './pages/routes.js';
import { loadStaticFiles, toFile, type StaticFile } from './pages/static-files.js';

const DOCUMENT = '/openapi.json';
const PAGES = ['/docs', '/playground', '/playground/:file'];

/** Tells of the server as it is: an OpenAPI document, a page that reads it to people, and a page that tries it out. */
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
      description: 'Serve an API page at /docs and a playground at /playground, with the document that both are made of at /openapi.json.',
      default: false,
      'x-paths': ['/playground', '/docs', DOCUMENT],
    },
  },
  serve(server, { options }) {
    const pages = options['server-enable-docs'] === true;
    if (options['server-enable-schema'] !== true && !pages) return;
    let files: readonly (readonly [path: string, file: SentFile])[] = [];
    let document: StaticFile | undefined;
    const describe = () => (document ??= toFile(DOCUMENT, Buffer.from(`${JSON.stringify(buildDocument(server, { pages }))}\n`)));
    // Every plugin has told of its endpoints by then, and what it told wrongly ends the start.
    server.hooks.start.tapPromise('openapi', async () => {
      files = pages ? [...placeFiles(await loadStaticFiles())] : [];
      describe();
    });
    // Who asks next is told of the credentials that are in force then.
    server.hooks.reload.tap('openapi', (_, commit) => {
      commit(() => {
        document = undefined;
      });
    });
    server.hooks.routes.tap('openapi', (router) => {
      addRoutes(router, pages ? [DOCUMENT, ...PAGES] : [DOCUMENT], () => new Map([...files, [DOCUMENT, describe()]]));
    });
    if (pages) allowUnauthenticatedPages(server);
  },
});
