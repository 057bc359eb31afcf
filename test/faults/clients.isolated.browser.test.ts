import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { type Host, openHost } from './open-host.js';

let host: Host;
let site: Site;

beforeEach(async () => {
  site = await openSite({ '/never': () => undefined, '/drip': (_request, response) => void response.write('<h1>begun') });
  host = await openHost({ 'server-max-concurrency': 2, 'server-queue-requests': true });
});

afterEach(async () => {
  await host.expectWell();
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** Renders whose clients leave together when the test says so. */
function open(count: number, path: string) {
  const controller = new AbortController();
  const renders = Array.from({ length: count }, () => host.render({ url: site.url(path), timeout: 60 }, { signal: controller.signal }));
  return {
    async leave() {
      const ended = Promise.allSettled(renders);
      controller.abort();
      expect((await ended).map(({ status }) => status)).toEqual(renders.map(() => 'rejected'));
    },
  };
}

test.each(['/never', '/drip'])(
  'F10: clients that leave while they are rendered or wait for it (%s) free slots and places',
  async (path) => {
    for (let turn = 0; turn < 3; turn++) {
      const before = site.requests.length;
      const clients = open(17, path);
      await until(async () => site.requests.length === before + 2 && (await host.status())['queued'] === 15);
      await clients.leave();
      await until(() => host.kernel.status().busy === 0);
      await until(async () => (await host.status())['in_flight'] === 0 && (await host.status())['queued'] === 0);
      // Nobody who waited was rendered for nobody.
      expect(site.requests.length).toBe(before + 2);
    }
  },
);
