import { afterAll, expect, it } from 'vitest';
import { createTestKernel } from '@platen/kernel/testing';
import network from '../../../../plugins/capture/network/src/index.js';
import walk from '../../../../plugins/capture/walk/src/index.js';
import har from '../../../../plugins/output/har/src/index.js';
import wait from '../../../../plugins/page/wait/src/index.js';
import wacz from '../../../../plugins/output/wacz/src/index.js';
import warc from '../../../../plugins/output/warc/src/index.js';
import { openSite } from '../../../helpers/site.js';
import { openWalkProber, pathsOf } from './walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

const HTML = { 'content-type': 'text/html' };
const page = (name: string, rest: string) => ({ headers: HTML, body: `<title>${name}</title><a href="/after-${name}">after</a>${rest}` });

/** Pages that are never ready, by the reason. */
const UNREADY = {
  image: page('image', '<img src="/never">'),
  frame: page('frame', '<iframe src="/never"></iframe>'),
  style: page('style', '<link rel="stylesheet" href="/never"><script>0</script>'),
  script: page('script', '<script src="/never"></script>'),
  refusal: { ...page('refusal', '<img src="/never">'), status: 404 },
};

function openUnready(seed: string) {
  const names = Object.keys(UNREADY);
  return openSite({
    '/': { headers: HTML, body: `<title>seed</title>${names.map((name) => `<a href="/${name}">x</a>`).join('')}${seed}` },
    ...Object.fromEntries(Object.entries(UNREADY).map(([name, answer]) => [`/${name}`, answer])),
    ...Object.fromEntries(names.map((name) => [`/after-${name}`, { headers: HTML, body: 'after' }])),
    '/never': () => undefined,
  });
}

it.each([
  ['', {}, 'complete'],
  ['<img src="/never">', {}, 'timeout'],
  ['<img src="/never">', { wait_for: 'networkidle0' }, 'timeout'],
])(
  'of pages that are never ready the links are followed: seed %j, %j',
  async (seed, params, loadState) => {
    await using site = await openUnready(seed);
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_page_timeout: 9, crawl_concurrency: 3, ...params });
    const stateOf = (path: string) => end.pages.find(({ url }) => url === site.url(path))?.loadState;
    const states = Object.fromEntries(['/', ...Object.keys(UNREADY).map((name) => `/${name}`)].map((path) => [path, stateOf(path)]));
    expect(states).toEqual({
      '/': loadState,
      ...{ '/image': 'timeout', '/frame': 'timeout', '/style': 'timeout', '/script': 'timeout', '/refusal': 'failed' },
    });
    const followed = pathsOf(end).filter((path) => path.startsWith('/after-'));
    expect(followed).toEqual(['/after-frame', '/after-image', '/after-script', '/after-style']);
  },
  180_000,
);

it('a request that never ends does not take the time for the links', async () => {
  await using site = await openSite({
    '/': { headers: HTML, body: '<a href="/polls">x</a>' },
    '/polls': { headers: HTML, body: '<a href="/after">x</a><script>fetch("/never")</script>' },
    '/after': 'after',
    '/never': () => undefined,
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_page_timeout: 5 });
  expect(pathsOf(end)).toEqual(['/', '/after', '/polls']);
}, 60_000);

it.each(['har', 'warc', 'wacz'])(
  '%s of such a page is complete within its time, and says so',
  async (output_type) => {
    await using host = createTestKernel({ plugins: [network, walk, har, warc, wacz] });
    await using site = await openUnready('<img src="/never">');
    const { headers, bytes } = await host.render({ url: site.url('/'), output_type, timeout: 12 });
    expect((await bytes()).length).toBeGreaterThan(100);
    expect(headers['X-Timeout']).toBe('wait');
  },
  60_000,
);

it.each(['har', 'warc', 'wacz'])('%s of a page that has loaded still needs the condition of its request', async (output_type) => {
  await using host = createTestKernel({ plugins: [network, walk, har, warc, wacz, wait] });
  await using site = await openSite({ '/': '<!doctype html>' });
  await expect(host.render({ url: site.url('/'), output_type, timeout: 8, wait_for: 'css:#never' })).rejects.toMatchObject({
    code: 'render_timeout',
    details: { unmet: 'wait_for=css:#never' },
  });
});

it.each(['har', 'wacz'])(
  '%s of an error page reports its status, whatever the request waits for',
  async (output_type) => {
    await using host = createTestKernel({ plugins: [network, walk, har, wacz, wait] });
    await using site = await openSite({ '/': { ...page('gone', ''), status: 404 } });
    const params = { url: site.url('/'), output_type, timeout: 100, wait_for: 'css:#never' };
    await expect(host.render(params)).rejects.toMatchObject({ code: 'target_status', details: { target: { status: 404 } } });
  },
  60_000,
);

it('a first page that never loads leaves the time of the crawl to the others', async () => {
  await using site = await openUnready('<img src="/never">');
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_page_timeout: 6, timeout: 100 });
  expect(pathsOf(end)).toContain('/after-image');
}, 90_000);

it('lists a page that is refused at first, and then reloads, as what it came to be', async () => {
  const wall = '<script>document.cookie = "passed=1"; location.reload()</script>';
  await using site = await openSite({
    '/': '<a href="/page">p</a>',
    '/page': ({ headers: { cookie } }) =>
      cookie === 'passed=1'
        ? { headers: { 'content-type': 'text/html' }, body: '<title>Content</title><a href="/after">a</a>' }
        : { status: 403, headers: { 'content-type': 'text/html' }, body: wall },
    '/after': 'after',
  });
  const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 1 });
  expect(end.pages.find(({ url }) => url.endsWith('/page'))).toMatchObject({
    ...{ title: 'Content', status: 200, loadState: 'complete' },
    exchanges: ['GET /page 403', 'GET /page 200'],
  });
  expect(pathsOf(end)).toEqual(['/', '/after', '/page']);
});
