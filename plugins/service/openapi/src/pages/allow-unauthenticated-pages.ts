import { Stage, type ServerApi } from '@platen/kernel';
import { asksForToken } from '../document/security.js';

/** The pages and their files; not the document, which describes this server. */
const SHELL = /^\/(?:docs|playground(?:\/[\w.-]+)?)$/;

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
