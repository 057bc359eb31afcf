import { afterAll, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber } from './walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

const HTML = { 'content-type': 'text/html' };
const script = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

it('the scripts of shared and service workers of a crawled page are archived, with what they import and fetch', async () => {
  await using site = await openSite({
    '/': { headers: HTML, body: '<a href="/page">p</a>' },
    '/page': {
      headers: HTML,
      body: `<script>
        const shared = new SharedWorker('/shared.js');
        const told = new Promise((resolve) => { shared.port.onmessage = resolve; });
        const ready = navigator.serviceWorker.register('/sw.js').then(() => navigator.serviceWorker.ready);
        Promise.all([told, ready]).then(() => { document.body.insertAdjacentHTML('beforeend', '<p id=done>'); });
      </script><body>`,
    },
    '/shared.js': script(
      'importScripts("/imported.js"); onconnect = ({ ports: [port] }) => fetch("/data").then(() => port.postMessage(0));',
    ),
    '/imported.js': script('0'),
    '/data': 'data',
    '/sw.js': script('importScripts("/sw-imported.js")'),
    '/sw-imported.js': script('1'),
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_link_depth: 1, wait_for: 'css:#done, a' });
  const page = end.pages.find(({ url }) => url === site.url('/page'));
  const expected = ['/shared.js', '/imported.js', '/data', '/sw.js', '/sw-imported.js'];
  expect(page?.exchanges).toEqual(expect.arrayContaining(expected.map((path) => `GET ${path} 200`)));
  for (const path of expected) expect(page?.bytes.find(([one]) => one === path)?.[1], path).toBeGreaterThan(0);
}, 60_000);
