import type { ServerResponse } from 'node:http';
import { openSite, type Site } from '../../../helpers/site.js';

export interface SlowSite extends Site {
  /** The next request for `/slow`, which is never answered: when it arrives, and when its connection is closed. */
  nextSlow(): readonly [arrived: Promise<void>, closed: Promise<void>];
}

export async function openSlowSite(): Promise<SlowSite> {
  let arrive: ((response: ServerResponse) => void) | undefined;
  const site = await openSite({
    '/': '<title>Hello</title><h1>Hello</h1>',
    '/linked': '<a href="/">one</a><a href="/two">two</a>',
    '/two': 'two',
    '/slow': (_, response) => {
      arrive?.(response);
      return undefined;
    },
  });
  return {
    ...site,
    nextSlow() {
      const arriving = new Promise<ServerResponse>((resolve) => {
        arrive = resolve;
      });
      const closed = arriving.then(
        (response) =>
          new Promise<void>((resolve) => {
            response.once('close', () => {
              resolve();
            });
          }),
      );
      return [arriving.then(() => undefined), closed];
    },
  };
}
