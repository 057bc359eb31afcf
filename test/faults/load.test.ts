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
let held: (() => void)[];
let most: number;

beforeEach(async () => {
  held = [];
  most = 0;
  site = await openSite({
    '/page': '<h1>loaded</h1><img src="/held">',
    '/held': () =>
      new Promise((resolve) => {
        held.push(() => {
          resolve({ headers: { 'content-type': 'image/gif' }, body: '' });
        });
        most = Math.max(most, held.length);
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

const ask = (count: number) =>
  Array.from({ length: count }, () => host.render({ url: site.url('/page'), output_type: 'html', timeout: 110, wait_for: 'load' }));

test('F12: of 200 clients at once no more than four are rendered at once, as the target counts, and each gets 200 or 429', async () => {
  const answers = Promise.all(ask(CLIENTS));
  for (let done = 0; done < CAP + QUEUE; done += CAP) {
    await until(() => held.length >= CAP);
    // Whoever else might be let in is asked to show up: the server answers these while its slots are taken.
    await Promise.all(Array.from({ length: CAP }, () => host.status()));
    expect(await host.status()).toMatchObject({ in_flight: CAP });
    for (const answer of held.splice(0)) answer();
  }
  const statuses = (await answers).map(({ status, problem }) => (problem === undefined ? status : [status, problem['code']]));
  expect(most).toBe(CAP);
  expect(statuses.filter((status) => status === 200)).toHaveLength(CAP + QUEUE);
  expect(statuses.filter((status) => status !== 200)).toEqual(
    Array.from({ length: CLIENTS - CAP - QUEUE }, () => [429, 'too_many_requests']),
  );
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
  await until(() => held.length === CAP);
  for (const answer of held.splice(0)) answer();
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual(Array.from({ length: CAP }, () => 200));
}, 120_000);
