import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPlatenError } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import adblock from '../../../../plugins/page/adblock/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { probe, type Probed } from '../probe.js';

const LIST = `[Adblock Plus 2.0]
! Title: A list of the tests'
||ads.localhost^$third-party
||refused.localhost^
||nodocument.localhost:*/ad/
/banner/*
||page.localhost:*/only-image$image
||page.localhost:*/data.json$xmlhttprequest
||page.localhost:*/frame.html$subdocument
||page.localhost:*/style.css$stylesheet
||page.localhost:*/worker-ask$xmlhttprequest
||page.localhost:*/allowed
@@||page.localhost:*/allowed$image
||page.localhost:*/stub.js$script,redirect=noop.js
||page.localhost:*/stub.gif$image,redirect=1x1.gif
||page.localhost:*/tracked$removeparam=utm_source
||tricky.localhost^$document
||exempt.localhost:*/ad.png
@@||exempt.localhost^$document
##.generic-ad
##.later-ad
###generic-id
##a[href^="http://ads.localhost"]
page.localhost##.site-ad
page.localhost##.box:has(> .sponsor)
##.any-box:has(.sponsor)
page.localhost##.box:has-text(procedural)
other.localhost##.elsewhere
page.localhost#@#.not-here
##.not-here
page.localhost##+js(set-constant, adsAllowed, false)
page.localhost##+js(abort-on-property-read, adblockDetector)
framed.localhost##+js(set-constant, framedAds, false)
&zoneid=*&direct=
/\\/(a+)+$/$xmlhttprequest
||ported.localhost^*/port/
||bad$nonsense
||worse$domain=
`;

let folder: string;
let host: TestKernel;
let site: Site;
let url: (path: string, name?: string) => string;

const PNG = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
const png = { headers: { 'content-type': 'image/png', 'access-control-allow-origin': '*' }, body: PNG };
const js = (body: string) => ({ headers: { 'content-type': 'text/javascript' }, body });

const page = (body: string): string => `<!doctype html><title>page</title><link rel=icon href=data:,>${body}`;
/** Loads pictures; the report: which arrived. */
const pictures = (...paths: readonly string[]): string =>
  page(`<script>
    const load = (src) => new Promise((done) => { const image = new Image(); image.onload = () => done(true); image.onerror = () => done(false); image.src = src; });
    window.report = Promise.all(${JSON.stringify(paths)}.map(load));
  </script>`);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'adblock-test-'));
  vi.stubEnv('XDG_CACHE_HOME', join(folder, 'cache'));
  await writeFile(join(folder, 'list.txt'), LIST);
  site = await openSite({
    '/pictures': () => pictures(url('/x.png', 'ads.localhost'), '/x.png', '/banner/x.png', '/only-image/x.png', '/allowed/x.png'),
    '/x.png': png,
    '/banner/x.png': png,
    '/only-image/x.png': png,
    '/allowed/x.png': png,
    '/ad.png': png,
    '/own': () => pictures('/x.png'),
    '/exempt': () => pictures('/ad.png', '/banner/x.png'),
    '/kinds': page(`<link rel=stylesheet href=/style.css><iframe src=/frame.html></iframe><p id=p>text</p>
      <script>window.report = (async () => {
        await new Promise((done) => addEventListener('load', done));
        const asked = await fetch('/data.json').then(() => true, () => false);
        const frame = await fetch('/frame.html').then(() => true, () => false);
        const worker = new Worker('/worker.js');
        const inWorker = await new Promise((done) => { worker.onmessage = ({ data }) => done(data); });
        return { asked, frame, inWorker, colour: getComputedStyle(p).color };
      })();</script>`),
    '/style.css': { headers: { 'content-type': 'text/css' }, body: 'p { color: rgb(1, 2, 3) }' },
    '/frame.html': page('framed'),
    '/data.json': '{}',
    '/worker-ask': '{}',
    '/worker.js': js(`fetch('/worker-ask').then(() => postMessage(true), () => postMessage(false));`),
    '/stubs':
      page(`<script>window.report = new Promise((done) => { const s = document.createElement('script'); s.onload = () => done('loaded'); s.onerror = () => done('failed'); s.src = '/stub.js'; document.head.append(s); })
      .then(async (script) => { const image = new Image(); image.src = '/stub.gif'; await image.decode(); return { script, size: image.naturalWidth, ran: window.stubRan }; });</script>`),
    '/stub.js': js('window.stubRan = true'),
    '/stub.gif': png,
    '/params': page(`<script>window.report = fetch('/tracked?a=1&utm_source=2').then((answer) => answer.url);</script>`),
    '/tracked': 'tracked',
    '/hidden': page(`<div class=site-ad>1</div><div class=generic-ad>2</div><div id=generic-id>3</div><a href=http://ads.localhost/x>4</a>
      <div class=elsewhere>5</div><div class=not-here>6</div><div class=content>7</div><iframe srcdoc="<div class='site-ad'>8</div>"></iframe>
      <script>const leaves = (document) => [...document.querySelectorAll('div, a')].filter((element) => element.childElementCount === 0);
      const shown = (document) => leaves(document).map((element) => element.checkVisibility() ? element.textContent : '').join('');
      const until = (condition) => new Promise((done) => { const look = () => condition() ? done() : requestAnimationFrame(look); look(); });
      window.report = new Promise((done) => addEventListener('load', done)).then(async () => {
        document.body.insertAdjacentHTML('beforeend', '<div class=late><div class=generic-ad>9</div></div>');
        document.querySelector('.content').className = 'content later-ad';
        await until(() => !document.querySelector('.content').checkVisibility() && !shown(frames[0].document));
        return shown(document) + shown(frames[0].document);
      });</script>`),
    '/holders':
      page(`<div class=box><p class=sponsor>1</p></div><div class=box><p>procedural 2</p></div><div class=any-box><p class=sponsor>3</p></div>
      <div class=box id=later>4</div>
      <script>window.report = new Promise((done) => addEventListener('load', done)).then(async () => {
        later.innerHTML = '<p class=sponsor>5</p>';
        const hidden = (element) => !element.checkVisibility();
        await new Promise((done) => { const look = () => hidden(later) ? done() : requestAnimationFrame(look); look(); });
        return [...document.querySelectorAll('div')].map((box) => hidden(box));
      });</script>`),
    '/scripts':
      page(`<script>window.report = { ads: window.adsAllowed, detected: false };</script><script>window.adblockDetector; window.report.detected = true;</script>
      <script>window.adsAllowed = true; window.report.after = window.adsAllowed;</script>`),
    '/frames': () =>
      page(
        `<iframe src="${url('/in-frame', 'framed.localhost')}"></iframe><script>window.report = new Promise((done) => addEventListener('message', ({ data }) => done(data)));</script>`,
      ),
    '/in-frame': page(`<div class=generic-ad>ad</div><script>const look = () => document.querySelector('div').checkVisibility()
      ? requestAnimationFrame(look) : parent.postMessage({ ads: window.framedAds }, '*'); look();</script>`),
    '/long': page(`<script>const asked = (path) => fetch(path).then(() => 'sent', () => 'blocked');
      window.report = Promise.all(['/?' + '&zoneid=1'.repeat(100_000), '/?&zoneid=1' + '&x'.repeat(1000) + '&direct=', '/' + 'a'.repeat(1_000_000) + '!', '/aaa!', '/aaa'].map(asked));</script>`),
    '/port/': page('a port'),
    '/hop': () => ({ status: 302, headers: { location: url('/', 'refused.localhost') } }),
    '/': page('hello'),
    '/ad/': page('an ad'),
    '/banner/': page('about banners'),
  });
  url = (path, name = 'page.localhost') => site.url(path, name);
  host = createTestKernel({ plugins: [adblock, probe], flags: { 'adblock-rules': [join(folder, 'list.txt')] } });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
  vi.unstubAllEnvs();
});

async function reportOf(target: string, kernel = host): Promise<Probed['report']> {
  const result = await kernel.render({ output_type: 'probe', url: target });
  return (JSON.parse((await result.bytes()).toString()) as Probed).report;
}

async function refusalOf(target: string) {
  const error = await reportOf(target).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  return isPlatenError(error) ? { code: error.code, status: error.status, message: error.message } : error;
}

describe('requests', () => {
  it('of other sites, by path, by type; exceptions win', async () => {
    expect(await reportOf(url('/pictures'))).toEqual([false, true, false, false, true]);
  });

  it('that are blocked are never sent', async () => {
    const before = site.requests.length;
    await reportOf(url('/pictures'));
    const asked = site.requests.slice(before).map(({ url: path, headers }) => `${headers.host ?? ''}${path}`);
    expect(asked.some((path) => path.startsWith('ads.') || path.includes('banner') || path.includes('only-image'))).toBe(false);
    expect(asked).toContain(`page.localhost:${String(site.port)}/x.png`);
  });

  it('a third-party rule lets a site have what is its own', async () => {
    expect(await reportOf(url('/own', 'ads.localhost'))).toEqual([true]);
  });

  it('of every kind: style sheets, frames, fetches, workers', async () => {
    expect(await reportOf(url('/kinds'))).toEqual({ asked: false, frame: true, inWorker: false, colour: 'rgb(0, 0, 0)' });
  });

  it('of a megabyte, made for rules that a regular expression would not end with', async () => {
    expect(await reportOf(url('/long'))).toEqual(['sent', 'blocked', 'sent', 'sent', 'blocked']);
  });

  it('$redirect answers with a stand-in', async () => {
    expect(await reportOf(url('/stubs'))).toEqual({ script: 'loaded', size: 1 });
  });

  it('$removeparam takes the parameter away', async () => {
    expect(await reportOf(url('/params'))).toBe(url('/tracked?a=1'));
  });

  it('@@$document lets everything on a page be', async () => {
    expect(await reportOf(url('/exempt', 'exempt.localhost'))).toEqual([true, true]);
  });
});

describe('a rule that hits the target itself', () => {
  it('refuses it before anything is connected to, naming the rule', async () => {
    const before = site.requests.length;
    expect(await refusalOf(url('/', 'refused.localhost'))).toEqual({
      code: 'target_blocked',
      status: 403,
      message: 'the target is blocked by this server\'s adblock rule "||refused.localhost^"',
    });
    expect(site.requests.length).toBe(before);
  });

  it('and is named as it was written', async () => {
    expect(await refusalOf(url('/port/', 'ported.localhost'))).toMatchObject({
      message: 'the target is blocked by this server\'s adblock rule "||ported.localhost^*/port/"',
    });
  });

  it.each([
    ['with a path', '/ad/', 'nodocument.localhost'],
    ['for documents alone', '/', 'tricky.localhost'],
  ])('%s', async (_name, path, name) => {
    expect(await refusalOf(url(path, name))).toMatchObject({ code: 'target_blocked' });
  });

  it('also where the target redirects to it', async () => {
    expect(await refusalOf(url('/hop'))).toMatchObject({ code: 'target_blocked' });
  });

  it('a rule that names no host is about what pages load, not about pages', async () => {
    expect(await refusalOf(url('/banner/'))).toBeUndefined();
  });

  it('a third-party rule is no such rule', async () => {
    expect(await refusalOf(url('/', 'ads.localhost'))).toBeUndefined();
  });
});

describe('elements', () => {
  it('are hidden by site, class, id and link, also those that come later and in frames; exceptions win', async () => {
    // 7 has become a generic ad, 9 has come later.
    expect(await reportOf(url('/hidden'))).toBe('56');
  });

  it('are hidden by what they hold (`:has()`), also what they come to hold; what browsers do not know themselves is skipped', async () => {
    expect(await reportOf(url('/holders'))).toEqual([true, false, true, true]);
  });

  it('are hidden in frames of other sites, which have their own scripts', async () => {
    expect(await reportOf(url('/frames'))).toEqual({ ads: false });
  });
});

it('scripts of the lists run before those of the page', async () => {
  expect(await reportOf(url('/scripts'))).toEqual({ ads: false, detected: false, after: false });
});
