import { afterEach, beforeEach, expect, test } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { type Host, openHost } from './open-host.js';

const CAP = 4;
/** What waits beside it: ten times the cap. */
const QUEUE = 10 * CAP;
const CLIENTS = 200;
const DISCONNECTS = 1000;

let host: Host;
let site: Site;
/** Answers of pictures that pages wait for: so many renders are under way, as the target sees it. */
let held: Set<() => void>;
let most: number;

beforeEach(async () => {
  held = new Set();
  most = 0;
  site = await openSite({
    '/page': '<h1>loaded</h1><img src="/held">',
    '/held': (_request, response) =>
      new Promise((resolve) => {
        const answer = () => {
          resolve({ headers: { 'content-type': 'image/gif' }, body: '' });
        };
        held.add(answer);
        most = Math.max(most, held.size);
        // A page that is gone (its browser was lost, and the render is tried once more) waits no longer.
        response.once('close', () => held.delete(answer));
      }),
    '/never': () => undefined,
  });
  host = await openHost({ 'server-max-concurrency': CAP, 'server-queue-requests': true });
});

afterEach(async () => {
  await host.expectWell();
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function release(): void {
  const answers = [...held];
  held.clear();
  for (const answer of answers) answer();
}

const ask = (count: number) =>
  Array.from({ length: count }, () => host.render({ url: site.url('/page'), output_type: 'html', timeout: 100, wait_for: 'load' }));

test('F12: of 200 clients at once no more than four are rendered at once, as the target counts, and each gets 200 or 429', async () => {
  const clients = { gone: false };
  const answers = Promise.all(ask(CLIENTS)).finally(() => (clients.gone = true));
  while (!clients.gone) {
    // All that were let in stand at the target: whoever else might be would be seen there too.
    await until(async () => clients.gone || (held.size > 0 && held.size >= Number((await host.status())['in_flight'])));
    release();
  }
  const statuses = (await answers).map(({ status, problem }) => (problem === undefined ? status : [status, problem['code']]));
  const refused = statuses.filter((status) => status !== 200);
  expect(most).toBe(CAP);
  // More than have room at first: who comes late may find that others have left.
  expect(CLIENTS - refused.length).toBeGreaterThanOrEqual(CAP + QUEUE);
  expect(refused).toEqual(refused.map(() => [429, 'too_many_requests']));
  expect(refused.length).toBeGreaterThan(0);
}, 120_000);

test('F12: after a thousand clients that left, each at another moment, no slot is lost', async () => {
  const leave = async (moment: number): Promise<void> => {
    const controller = new AbortController();
    const answer = host.render({ url: site.url('/never'), timeout: 60 }, { signal: controller.signal }).catch(() => undefined);
    // So many answers later, which is another moment of its render or of its place in the queue.
    for (let step = 0; step < moment; step++) await host.status();
    controller.abort();
    await answer;
  };
  for (let left = 0; left < DISCONNECTS; left += 25) await Promise.all(Array.from({ length: 25 }, (_, index) => leave((left + index) % 7)));
  await until(async () => (await host.status())['in_flight'] === 0 && (await host.status())['queued'] === 0);
  const answers = ask(CAP);
  await until(() => held.size === CAP);
  release();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array.from({ length: CAP }, () => 200));
}, 120_000);
