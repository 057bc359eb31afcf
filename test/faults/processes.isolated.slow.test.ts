import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { browserProcesses, isBrowser, isNetworkService, isRenderer, type ProcessFacts } from '../kernel/browser/processes.js';
import { type Host, openHost } from './open-host.js';

const RENDERS = 4;

let host: Host;
let site: Site;
/** Those who wait for the picture; once it is released everybody gets it at once. */
let waiting: (() => void)[];
let released: boolean;

beforeAll(async () => {
  waiting = [];
  released = true;
  site = await openSite({
    '/': '<!doctype html><h1>page</h1><img src="/picture">',
    '/picture': async () => {
      if (!released) await new Promise<void>((resolve) => waiting.push(resolve));
      return { status: 404 };
    },
  });
  host = await openHost({ 'browser-concurrency': RENDERS });
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

afterEach(() => host.expectWell());

const isGpu = ({ command }: ProcessFacts) => command.includes('--type=gpu-process');

/** Kills the processes of the browser that fit; resolves with how many they were. */
async function kill(which: (facts: ProcessFacts) => boolean): Promise<number> {
  const found = (await browserProcesses()).filter(which);
  for (const { pid } of found) process.kill(pid, 'SIGKILL');
  return found.length;
}

/** What becomes of four renders under way when something of their browser is killed. */
async function rendersWhile(happens: () => Promise<unknown>): Promise<readonly string[]> {
  released = false;
  const renders = Array.from({ length: RENDERS }, () => host.render({ url: site.url('/'), output_type: 'html', timeout: 20 }));
  await until(() => waiting.length === RENDERS);
  await happens();
  expect(await host.status()).toMatchObject({ status: 'ok' });
  released = true;
  for (const release of waiting.splice(0)) release();
  const answers = await Promise.all(renders);
  return answers.map(({ status, problem }) => (problem === undefined ? String(status) : `${String(status)} ${String(problem['code'])}`));
}

test('F6: renderers that are killed are page_crashed, and the next renders work', async () => {
  let killed = 0;
  const answers = await rendersWhile(async () => {
    killed = await kill(isRenderer);
  });
  expect(killed).toBeGreaterThanOrEqual(RENDERS);
  expect(answers).toEqual(Array.from({ length: RENDERS }, () => '502 page_crashed'));
});

test('F6: a GPU process that is killed costs no render', async () => {
  let killed = 0;
  const answers = await rendersWhile(async () => {
    killed = await kill(isGpu);
  });
  expect(killed).toBeGreaterThan(0);
  expect(answers).toEqual(Array.from({ length: RENDERS }, () => '200'));
});

test.each([
  ['the network service', isNetworkService],
  ['the browser', isBrowser],
])('F6 and F14: renders that lose %s are tried once more, and /status answers meanwhile', async (_what, which) => {
  let killed = 0;
  const answers = await rendersWhile(async () => {
    killed = await kill(which);
  });
  expect(killed).toBe(1);
  expect(answers).toEqual(Array.from({ length: RENDERS }, () => '200'));
});

test('F6: of four renders beside one another, the crash of one is nobody else’s', async () => {
  const answers = await rendersWhile(async () => {
    const [first] = (await browserProcesses()).filter(isRenderer);
    if (first) process.kill(first.pid, 'SIGKILL');
  });
  const others = answers.filter((answer) => answer !== '200');
  expect(['', '502 page_crashed']).toContain(others.join());
});
