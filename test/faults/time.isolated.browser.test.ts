import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { type Host, openHost } from './open-host.js';

const DAY = 86_400_000;

let host: Host;
let site: Site;

beforeAll(async () => {
  site = await openSite({
    '/jump': () => {
      vi.setSystemTime(Date.now() + jump);
      return '<!doctype html><h1>page</h1>';
    },
    '/zone': '<!doctype html><title></title><script>document.title = Intl.DateTimeFormat().resolvedOptions().timeZone</script>',
  });
  host = await openHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

let jump = 0;

test.each([DAY, -DAY])('F15: a clock that jumps by %i ms in the middle of a render neither ends nor prolongs it', async (by) => {
  jump = by;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    expect(await host.render({ url: site.url('/jump') })).toMatchObject({ status: 200, problem: undefined });
    const late = await host.render({ url: site.url('/jump'), wait_for: 'css:#never', timeout: 1 });
    expect(late.problem).toMatchObject({ status: 504, code: 'render_timeout' });
  } finally {
    vi.useRealTimers();
  }
  await host.expectWell();
});

test('F15: a time zone that there is not is a 400, any other is that of the page', async () => {
  const wrong = await host.render({ url: site.url('/zone'), emulate_timezone: 'Mars/Olympus' });
  expect(wrong.problem).toMatchObject({ status: 400, errors: [{ parameter: 'emulate_timezone' }] });
  const right = await host.render({ url: site.url('/zone'), emulate_timezone: 'Pacific/Chatham', output_type: 'html' });
  expect(right.body.toString()).toContain('<title>Pacific/Chatham</title>');
});
