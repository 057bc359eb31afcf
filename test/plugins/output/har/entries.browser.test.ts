import { afterAll, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openHarProber } from '../../capture/network/har-prober.js';

const prober = openHarProber();
afterAll(() => prober[Symbol.asyncDispose]());

const HTML = { 'content-type': 'text/html' };

it('entries are in the order of their start, also where requests wait for a connection', async () => {
  const paths = Array.from({ length: 30 }, (_none, at) => `/${String(at)}.png`);
  await using site = await openSite({
    '/': { headers: HTML, body: `${paths.map((path) => `<img src="${path}">`).join('')}<script>fetch('/data')</script>` },
    '/data': 'data',
    ...Object.fromEntries(paths.map((path) => [path, { headers: { 'content-type': 'image/png' }, body: path }])),
  });
  const { log } = await prober.har({ url: site.url('/') });
  const starts = log.entries.map(({ startedDateTime }) => startedDateTime);
  expect(starts.length).toBeGreaterThan(paths.length);
  expect(starts).toEqual([...starts].sort());
});

it.each([
  ['image', 'image/png', '<img src="/cut">'],
  ['script', 'text/javascript', '<script src="/cut"></script>'],
  ['frame', 'text/html', '<iframe src="/cut"></iframe>'],
])('a body that its server cuts has an error: %s', async (_what, type, body) => {
  await using site = await openSite({
    '/': { headers: HTML, body },
    '/cut': (_request, response) => {
      response.writeHead(200, { 'content-type': type, 'content-length': '1000' });
      response.write(' '.repeat(500), () => response.destroy());
      return undefined;
    },
  });
  const { response } = (await prober.har({ url: site.url('/') })).one('/cut');
  expect(response).toHaveProperty('_error');
});
