import { once } from 'node:events';
import { type Logger, silentLogger } from '@platen/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { openWalkProber, pathsOf } from './walk-prober.js';

const prober = openWalkProber();
afterAll(() => prober[Symbol.asyncDispose]());

describe('a walk of one', () => {
  it('is the target with its exchanges', async () => {
    await using site = await openSite({
      '/': '<title>One</title><img src="/i.svg"><a href="/other">x</a>',
      '/i.svg': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
    });
    const { pages, summary } = await prober.walk({ url: site.url('/') });
    expect(pages).toMatchObject([
      {
        url: site.url('/'),
        depth: 0,
        title: 'One',
        status: 200,
        loadState: 'complete',
        isPage: true,
        exchanges: ['GET / 200', 'GET /i.svg 200'],
      },
    ]);
    expect(summary).toEqual({ done: 1, failed: 0 });
  });
});

describe('a page is ready', () => {
  it.each([
    ['loads its links one after another', `for (const one of ['/1.json', '/2.json']) await add(one)`],
    ['is busy before it loads them', `for (const end = Date.now() + 400; Date.now() < end; ); await add('/2.json')`],
  ])('when its network is quiet: it %s', async (_what, script) => {
    await using site = await openSite({
      '/': `<script>
        const add = async (url) => document.body.insertAdjacentHTML('beforeend', await (await fetch(url)).json());
        onload = () => setTimeout(async () => { ${script} }, 30);
      </script><body>`,
      '/1.json': { headers: { 'content-type': 'application/json' }, body: '"<a href=/a></a>"' },
      '/2.json': { headers: { 'content-type': 'application/json' }, body: '"<a href=/b></a>"' },
      '/a': 'A',
      '/b': 'B',
    });
    const walked = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_link_depth: 1 });
    expect(pathsOf(walked)).toContain('/b');
    expect(walked.pages.find(({ url }) => url === site.url('/'))?.exchanges).toContain('GET /2.json 200');
  });
});

describe('crawl_links', () => {
  it('visits what the links lead to, each page once, with one set of cookies', async () => {
    const cookies: (string | undefined)[] = [];
    await using site = await openSite({
      '/': {
        headers: { 'set-cookie': 'a=1' },
        body: '<title>Home</title><a href="/a">a</a><a href="/b#x">b</a><a href="http://other.test/">o</a>',
      },
      '/a': ({ headers }) => {
        cookies.push(headers.cookie);
        return '<title>A</title><a href="/b">b</a><a href="/c">c</a><a href="/">home</a>';
      },
      '/b': ({ headers }) => {
        cookies.push(headers.cookie);
        return '<title>B</title><a href="/gone">gone</a>';
      },
      '/c': '<title>C</title>',
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 2 });
    expect(pathsOf(end)).toEqual(['/', '/a', '/b', '/c', '/gone']);
    expect(cookies).toEqual(['a=1', 'a=1']);
    expect(end.summary).toEqual({ done: 4, failed: 1 });
  });

  it.each([
    ['crawl_link_depth', { crawl_link_depth: 1 }, ['/', '/p1'], undefined],
    ['crawl_max_links', { crawl_max_links: 3 }, ['/', '/p1', '/p2'], 'crawl_max_links'],
    ['crawl_deny_url and crawl_allow_url', { crawl_deny_url: ['*/p*'], crawl_allow_url: ['*/p1'] }, ['/', '/p1'], undefined],
    ['archive_spill_max_bytes', { archive_spill_max_bytes: 1 }, ['/'], 'archive_spill_max_bytes'],
  ])('%s ends a walk with success', async (_key, params, paths, stopReason) => {
    const page = (next: number) => `<title>${String(next - 1)}</title><a href="/p${String(next)}">next</a>`;
    const routes = Object.fromEntries(Array.from({ length: 6 }, (_none, at) => [`/p${String(at + 1)}`, page(at + 2)]));
    await using site = await openSite({ '/': page(1), ...routes });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 1, ...params });
    expect(pathsOf(end)).toEqual(paths);
    expect(end.summary.stopReason).toBe(stopReason);
  });

  it('finds links in frames, in open shadow trees and by crawl_link_selector, relative to their own base', async () => {
    await using site = await openSite({
      '/': `<base href="/deep/"><iframe src="/frame"></iframe><div id="host"></div><button data-href="by-selector">x</button>
        <script>host.attachShadow({ mode: 'open' }).innerHTML = '<a href="in-shadow">s</a>'</script>`,
      '/frame': '<a href="/in-frame">f</a>',
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_link_selector: ['[data-href]', '((invalid'] });
    expect(pathsOf(end)).toEqual(['/', '/deep/by-selector', '/deep/in-shadow', '/in-frame']);
  });

  it('stays on the registrable domain of the target', async () => {
    await using site = await openSite({
      '/': ({ headers: { host = '' } }) => `<a href="http://localhost:${host.split(':')[1] ?? ''}/away">x</a><a href="/here">y</a>`,
      '/here': 'here',
    });
    expect(pathsOf(await prober.walk({ url: site.url('/'), crawl_links: true }))).toEqual(['/', '/here']);
  });

  it('archives a page that redirects to a visited one without visiting it twice', async () => {
    await using site = await openSite({
      '/': '<a href="/old">o</a><a href="/new">n</a>',
      '/old': { status: 302, headers: { location: '/new' } },
      '/new': '<title>New</title>',
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 1 });
    expect(end.pages.filter(({ isPage }) => isPage).map(({ exchanges }) => exchanges)).toEqual([
      ['GET / 200'],
      ['GET /old 302', 'GET /new 200'],
    ]);
    expect(site.requests.filter(({ url }) => url === '/new')).toHaveLength(1);
  });

  it('fetches the sources of audio and video with crawl_media_sources', async () => {
    await using site = await openSite({
      '/': '<video preload="none"><source src="/v.webm"></video>',
      '/v.webm': { headers: { 'content-type': 'video/webm' }, body: Buffer.from('webm') },
    });
    const { pages } = await prober.walk({ url: site.url('/'), crawl_media_sources: true });
    expect(pages).toContainEqual(expect.objectContaining({ url: site.url('/v.webm'), isPage: false, exchanges: ['GET /v.webm 200'] }));
  });

  it('keeps what was recorded of a page that exceeds crawl_page_timeout', async () => {
    await using site = await openSite({
      '/': '<a href="/slow">s</a><a href="/after">a</a>',
      '/slow': '<title>Slow</title><img src="/never">',
      '/never': () => undefined,
      '/after': '',
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true, crawl_page_timeout: 5, crawl_concurrency: 1 });
    expect(end.pages.find(({ url }) => url.endsWith('/slow'))).toMatchObject({
      loadState: 'timeout',
      title: 'Slow',
      exchanges: expect.arrayContaining(['GET /slow 200']) as unknown,
    });
    expect(pathsOf(end)).toEqual(['/', '/after', '/slow']);
  });

  it('visits a page that was too busy again, and never archives the refusal', async () => {
    let asked = 0;
    await using site = await openSite({
      '/': '<a href="/busy">b</a>',
      '/busy': () => {
        asked += 1;
        return asked === 1 ? { status: 503, headers: { 'retry-after': '1' }, body: 'busy' } : '<title>Free</title>';
      },
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true });
    expect(end.pages.filter(({ url }) => url.endsWith('/busy'))).toEqual([
      expect.objectContaining({ title: 'Free', status: 200, exchanges: ['GET /busy 200'] }),
    ]);
  });

  it('obeys robots.txt, archives it, and archives nothing of what it disallows', async () => {
    await using site = await openSite({
      '/robots.txt': { headers: { 'content-type': 'text/plain' }, body: 'User-agent: *\nDisallow: /no' },
      '/': '<a href="/no">n</a><a href="/yes">y</a><a href="/to-no">t</a>',
      '/yes': 'yes',
      '/no': 'secret',
      '/to-no': { status: 302, headers: { location: '/no' } },
    });
    const end = await prober.walk({ url: site.url('/'), crawl_links: true });
    expect(pathsOf(end)).toEqual(['/', '/yes']);
    expect(end.pages.flatMap(({ exchanges }) => exchanges)).toContain('GET /robots.txt 200');
    expect(end.summary).toEqual({ done: 2, failed: 2 });
  });
});

describe('faults', () => {
  it('a seed that fails is an error of the render, not an empty archive', async () => {
    await using site = await openSite({});
    await expect(prober.walk({ url: site.url('/'), crawl_links: true })).rejects.toMatchObject({ code: 'target_status' });
  });

  it('a client that leaves ends its walk and frees its slots', async () => {
    await using site = await openSite({ '/': '<a href="/hangs">h</a>', '/hangs': () => undefined });
    const controller = new AbortController();
    const { output } = await prober.host.render(
      { url: site.url('/'), output_type: 'probe', crawl_links: true, crawl_delay: 0 },
      { signal: controller.signal },
    );
    const { body } = output;
    if (Buffer.isBuffer(body)) throw new Error('the walk is a stream');
    body.resume();
    const ended = once(body, 'close').catch(() => undefined);
    await until(() => site.requests.some(({ url }) => url === '/hangs'));
    controller.abort();
    await ended;
    await until(() => prober.host.kernel.status().busy === 0);
    expect(prober.host.kernel.status().busy).toBe(0);
  });
});

describe('requests that are refused', () => {
  it.each([
    [{ crawl_link_depth: 1 }, '"crawl_link_depth" needs "crawl_links=true"'],
    [{ crawl_sitemap_max_depth: 1 }, '"crawl_sitemap_max_depth" needs "crawl_url_is_sitemap"'],
  ])('%j', async (params, message) => {
    await expect(prober.walk({ url: 'http://127.0.0.1/', ...params })).rejects.toThrow(message);
  });

  it('crawl_links=false is a walk of one', async () => {
    await using site = await openSite({ '/': '<a href="/a">a</a>' });
    expect(pathsOf(await prober.walk({ url: site.url('/'), crawl_links: false }))).toEqual(['/']);
  });
});

describe('shared resources', () => {
  it('three walks with four workers each end on two slots, and a picture is taken beside them', async () => {
    const small = openWalkProber({ 'browser-concurrency': 2 });
    try {
      const links = Array.from({ length: 5 }, (_none, at) => `<a href="/${String(at)}">x</a>`).join('');
      const pages = Object.fromEntries(Array.from({ length: 5 }, (_none, at) => [`/${String(at)}`, 'page']));
      await using site = await openSite({ '/': links, ...pages });
      const walks = Array.from({ length: 3 }, () => small.walk({ url: site.url('/'), crawl_links: true, crawl_concurrency: 4 }));
      const beside = small.walk({ url: site.url('/0') });
      const ends = await Promise.all([...walks, beside]);
      expect(ends.map(({ summary }) => summary.done)).toEqual([6, 6, 6, 1]);
      expect(small.host.kernel.status()).toMatchObject({ busy: 0, waiting: 0 });
    } finally {
      await small[Symbol.asyncDispose]();
    }
  });

  it('a browser that is killed in the middle is replaced, with the cookies, and no page is lost', async () => {
    const browsers: number[] = [];
    const log: Logger = {
      ...silentLogger,
      info: (fields, message) => {
        if (message === 'browser started' && 'pid' in fields) browsers.push(Number(fields.pid));
      },
      child: () => log,
    };
    const fragile = openWalkProber({ 'browser-concurrency': 1 }, log);
    try {
      let kills = 0;
      const cookies: (string | undefined)[] = [];
      await using site = await openSite({
        '/': '<a href="/sets">1</a>',
        '/sets': { headers: { 'set-cookie': 'a=1' }, body: '<a href="/kills">2</a>' },
        '/kills': ({ headers }) => {
          cookies.push(headers.cookie);
          kills += 1;
          if (kills > 1) return '<a href="/last">3</a>';
          for (const pid of browsers.splice(0)) process.kill(pid, 'SIGKILL');
          return undefined;
        },
        '/last': 'last',
      });
      const end = await fragile.walk({ url: site.url('/'), crawl_links: true });
      expect(pathsOf(end)).toEqual(['/', '/kills', '/last', '/sets']);
      expect(cookies).toEqual(['a=1', 'a=1']);
      expect(end.summary).toEqual({ done: 4, failed: 0 });
    } finally {
      await fragile[Symbol.asyncDispose]();
    }
  });
});
