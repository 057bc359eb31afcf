import { afterAll, beforeAll, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

let site: Site;
let prober: Prober;

beforeAll(async () => {
  site = await openSite({
    '/': {
      headers: { 'content-type': 'text/html', 'accept-ch': 'Device-Memory, Sec-CH-Device-Memory' },
      body: `<!doctype html><script>window.report = fetch('/asked').then(() => navigator.deviceMemory ?? null)</script>`,
    },
    '/asked': 'asked',
  });
  prober = openProber();
});

afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

/** What scripts see, and what both headers tell. */
async function told(params: Readonly<Record<string, unknown>>): Promise<readonly unknown[]> {
  const before = site.requests.length;
  const { report } = await prober.probe({ url: site.url('/'), ...params });
  const { headers = {} } = site.requests.slice(before).find(({ url }) => url === '/asked') ?? {};
  return [report, headers['device-memory'], headers['sec-ch-device-memory']];
}

it('requests tell of the emulated memory where a site asks for it, as scripts do', async () => {
  expect(await told({ emulate_memory: 2 })).toEqual([2, '2', '2']);
  expect(await told({ emulate_memory: 0 })).toEqual([null, undefined, undefined]);
});

it('and of the real one where none is emulated', async () => {
  const [memory, ...headers] = await told({});
  expect(memory).toBeGreaterThan(0);
  expect(headers).toEqual([String(memory), String(memory)]);
});
