import { Stage, type ServerApi } from '@platen/kernel';
import { asksForToken } from '../document/security.js';

/** The pages themselves and what they load; not the document, which tells what this server is. */
const SHELL = /^\/(?:docs|playground(?:\/[\w.-]+)?)$/;

/**
 * A browser that opens a page cannot send a token: where tokens are asked for, the pages come without one, ask for it, and send it with
 * all that they ask for. They are the same on every server and hold nothing of this one.
 */
export function allowUnauthenticatedPages(server: ServerApi): void {
  server.hooks.authorize.tap({ name: 'openapi', stage: Stage.first }, ({ method, path, headers }) =>
    (method === 'GET' || method === 'HEAD') && headers.authorization === undefined && SHELL.test(path) && asksForToken(server)
      ? {}
      : undefined,
  );
}
