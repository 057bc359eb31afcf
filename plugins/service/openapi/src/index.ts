import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { buildDocument } from './document/build-document.js';
import { asksForToken } from './document/security.js';
import { letShellsIn } from './pages/let-shells-in.js';
import { addRoutes, placeFiles, type Site } from './pages/routes.js';
import { loadStaticFiles, toFile } from './pages/static-files.js';

const DOCUMENT = '/openapi.json';
const PAGES = ['/docs', '/playground', '/playground/:file'];

/** Tells of the server as it is: an OpenAPI document, a page that reads it to people, and a page that tries it out. */
export default definePlugin({
  name: 'openapi',
  flags: {
    'server-enable-schema': { type: 'boolean', description: 'Serve the OpenAPI document at /openapi.json.', default: false },
    'server-enable-docs': {
      type: 'boolean',
      description: 'Serve an API page at /docs and a playground at /playground, with the document that both are made of at /openapi.json.',
      default: false,
    },
  },
  serve(server, { options }) {
    const pages = options['server-enable-docs'] === true;
    if (options['server-enable-schema'] !== true && !pages) return;
    let site: Site = new Map();
    // Every plugin has told of its endpoints by then, and what it told wrongly ends the start.
    server.hooks.start.tapPromise('openapi', async () => {
      const files = pages ? placeFiles(await loadStaticFiles()) : [];
      site = new Map([...files, [DOCUMENT, toFile(DOCUMENT, Buffer.from(`${JSON.stringify(buildDocument(server, { pages }))}\n`))]]);
    });
    server.hooks.routes.tap('openapi', (router) => {
      addRoutes(router, pages ? [DOCUMENT, ...PAGES] : [DOCUMENT], () => site);
    });
    if (pages && asksForToken(server)) letShellsIn(server);
  },
});
