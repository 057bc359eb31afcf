import { readdir, readlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { text } from 'node:stream/consumers';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';
import { openModelServer } from '../../../helpers/model-server.js';
import { done, navigatorScript, type Turn } from '../../../helpers/navigator-script.js';
import { openSite } from '../../../helpers/site.js';
import { everyRequest } from '../../../security/every-request.mjs';
import { probe, type Probed } from '../probe.js';

let host: TestKernel;
beforeAll(async () => {
  host = createTestKernel({ plugins: [...(await Promise.all(listPlugins().map(importPlugin))), probe] });
});
afterAll(() => host[Symbol.asyncDispose]());

const dataUrl = (bytes: Buffer | string) => `data:;base64,${Buffer.from(bytes).toString('base64')}`;

interface HarResponse {
  readonly url: string;
  readonly body?: string;
  readonly type?: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly at?: string;
}

/** A HAR as a browser's panel saves it. */
function harOf(...responses: readonly HarResponse[]): string {
  const entries = responses.map(({ url, body = '', type = 'text/html', status = 200, headers = {}, at = '2024-05-01T10:00:00.000Z' }) => ({
    startedDateTime: at,
    time: 1,
    request: { method: 'GET', url, httpVersion: 'HTTP/1.1', cookies: [], headers: [], queryString: [], headersSize: -1, bodySize: 0 },
    response: {
      ...{
        status,
        statusText: '',
        httpVersion: 'HTTP/1.1',
        cookies: [],
        redirectURL: headers['location'] ?? '',
        headersSize: -1,
        bodySize: body.length,
      },
      headers: Object.entries({ 'content-type': type, ...headers }).map(([name, value]) => ({ name, value })),
      content: { size: body.length, mimeType: type, text: body },
    },
    cache: {},
    timings: { send: 0, wait: 1, receive: 0 },
  }));
  return dataUrl(JSON.stringify({ log: { version: '1.2', creator: { name: 'test', version: '1' }, entries } }));
}

async function show(replay: string, url: string, params: Readonly<Record<string, unknown>> = {}) {
  const result = await host.render({ output_type: 'probe', url, replay, ...params });
  const { report, entries } = JSON.parse((await result.bytes()).toString()) as Probed;
  const asset = result.assets.kept.find(({ name }) => name === 'replay_report');
  return { report, entries, headers: result.headers, requests: asset && (JSON.parse(await text(asset.open())) as unknown) };
}

interface Reported {
  readonly requests: readonly { readonly url: string }[];
  readonly hits: number;
  readonly misses: number;
}

const reporting = (source: string) => `<!doctype html><script>window.report = (async () => { ${source} })()</script>`;

describe('a request', () => {
  it('is answered by the archive alone, whose report lists what is missing, WebSockets too', async () => {
    await using site = await openSite({ '/here': 'live' });
    const page = reporting(`
      const failed = (open) => open.then(() => 'answered', () => 'failed');
      return [await (await fetch('/a')).text(), await failed(fetch('/gone')), await failed(fetch(${JSON.stringify(site.url('/here'))})),
        await new Promise((resolve) => { new WebSocket('ws://${new URL(site.url('/')).host}/socket').onerror = () => resolve('failed'); })]`);
    const archive = harOf({ url: 'https://a.test/', body: page }, { url: 'https://a.test/a', body: 'archived' });
    const { report, headers, requests, entries } = await show(archive, 'https://a.test/', { with_replay_report: true });
    expect(report).toEqual(['archived', 'failed', 'failed', 'failed']);
    expect(headers['X-Replay']).toBe('hits=2; misses=3; at=20240501100000');
    const record = (url: string) => ({ method: 'GET', url, record: { url, date: '20240501100000', match: 'exact' } });
    expect(requests).toEqual({
      requests: [
        ...[record('https://a.test/'), record('https://a.test/a'), { method: 'GET', url: 'https://a.test/gone', record: null }],
        ...[
          { method: 'GET', url: site.url('/here'), record: null },
          { method: 'GET', url: site.url('/socket').replace('http', 'ws'), record: null },
        ],
      ],
      ...{ hits: 2, misses: 3 },
    });
    expect(entries.filter(({ outcome }) => outcome !== 'blocked')).toEqual([]);
    expect(site.requests).toEqual([]);
  });

  it('of any kind leaves for no host, even if that could be reached', async () => {
    await using canary = await openSite({});
    const { host: authority } = new URL(canary.url('/'));
    // A page at `localhost` is a secure context: service workers and WebTransport need one.
    const page = everyRequest(authority).replaceAll(`${authority}:`, '127.0.0.1:');
    const { headers, entries } = await show(harOf({ url: 'http://localhost/', body: page }), 'http://localhost/', {
      wait_for: 'css:[data-done]',
    });
    expect(headers['X-Replay']).toMatch(/^hits=1; misses=(?:[3-9]\d|\d{3})/);
    expect(entries.filter(({ outcome }) => outcome !== 'blocked')).toEqual([]);
    expect(canary.requests).toEqual([]);
  });

  it.each([
    ['20230101000000', 'old'],
    ['2026-01-01T00:00:00+01:00', 'new'],
    [undefined, 'old'],
  ])('has the response nearest to replay_at: %s', async (at, shown) => {
    const url = 'https://a.test/';
    const archive = harOf(
      { url, body: reporting(`return 'old'`), at: '2023-02-01T00:00:00Z' },
      { url, body: reporting(`return 'new'`), at: '2025-02-01T00:00:00Z' },
    );
    expect((await show(archive, url, at === undefined ? {} : { replay_at: at })).report).toBe(shown);
  });
});

describe('the clock', () => {
  const ASK = `const Zone = 'UTC'; const said = {
    date: new Date().toISOString(), now: new Date(Date.now()).toISOString(), text: new Date(Date()).toISOString(),
    format: new Intl.DateTimeFormat('en', { timeZone: Zone }).format(), parts: new Intl.DateTimeFormat('en', { timeZone: Zone }).formatToParts().map(({ value }) => value).join(''),
    temporal: globalThis.Temporal ? [Temporal.Now.instant().toString(), Temporal.Now.plainDateISO(Zone).toString(), Temporal.Now.zonedDateTimeISO(Zone).toString()] : [],
    made: new Date(0).toISOString(), copy: new Date(new Date(5)).getTime(), kind: new Date() instanceof Date && new (class extends Date {})() instanceof Date,
    length: Date.length, utc: Date.UTC(1970, 0), same: new Date().constructor === Date };`;
  const page = reporting(`
    const heard = (open) => new Promise((resolve) => open(({ data }) => resolve(data)));
    const blob = URL.createObjectURL(new Blob([${JSON.stringify(`${ASK} postMessage(said)`)}], { type: 'text/javascript' }));
    ${ASK}
    const frame = document.body.appendChild(document.createElement('iframe'));
    return [said, await heard((hear) => { new Worker(blob).onmessage = hear; }), { date: new frame.contentWindow.Date().toISOString() }]`).replace(
    '<script>',
    '<body><script>',
  );

  it.each([
    ['capture', /^2024-05-01(?:T10:0|$)/],
    ['now', new RegExp(`^${new Date().toISOString().slice(0, 8)}`)],
  ])('of scripts is that of the %s, in every realm', async (clock, moment) => {
    const { report } = await show(harOf({ url: 'https://a.test/', body: page }), 'https://a.test/', { replay_clock: clock });
    const realms = report as readonly Readonly<Record<string, string>>[];
    const times = realms.flatMap(({ date, now, text: said, temporal = [] }) => [date, now, said, temporal]).flat();
    expect(times.filter((time) => time !== undefined && !moment.test(time))).toEqual([]);
    for (const said of realms.slice(0, 2)) {
      expect(said).toMatchObject({ made: '1970-01-01T00:00:00.000Z', copy: 5, kind: true, length: 7, utc: 0, same: true });
      expect([said['format'], said['parts']].every((shown) => (shown === '5/1/2024') === (clock === 'capture'))).toBe(true);
    }
  });
});

it('a navigation stays in the archive, and is told what could not be loaded', async () => {
  const turns: readonly Turn[] = [
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Prices') }],
    ({ ref }) => [{ kind: 'click', ref: ref('link', 'Gone') }],
    ({ prompt, page }) => [done(`${/Note: (.+)/.exec(prompt)?.[1] ?? ''} ${/From .+ euros/.exec(page)?.[0] ?? ''}`)],
  ];
  const replay = harOf(
    { url: 'https://a.test/', body: '<title>Start</title><a href="/prices">Prices</a>' },
    { url: 'https://a.test/prices', body: '<title>Prices</title><p>From 5 euros</p><a href="/gone">Gone</a>' },
  );
  await using model = await openModelServer('openai', navigatorScript(turns).script);
  const result = await host.render({ url: 'https://a.test/', replay, navigate: 'Find the price.', navigator_type: model.connection() });
  expect(String(await result.bytes())).toBe('the next page could not be loaded: this is the one before From 5 euros');
  expect(result.headers['X-Replay']).toMatch(/^hits=\d+; misses=[1-9]/);
});

describe('a target', () => {
  const archive = harOf(
    { url: 'https://a.test/one', body: 'one' },
    { url: 'https://a.test/moved', status: 302, headers: { location: '/gone' } },
  );
  it.each([
    ['https://a.test/on', 422, 'not_in_archive', 'https://a.test/one'],
    ['https://a.test/moved', 422, 'not_in_archive', 'no response of https://a.test/gone'],
  ])('%s is not in the archive', async (url, status, code, detail) => {
    await expect(show(archive, url)).rejects.toMatchObject({ code, status, message: expect.stringContaining(detail) as unknown });
  });

  it.each<readonly [string, string, string, Readonly<Record<string, unknown>>]>([
    ['a script', 'not_in_archive', `<script>onload = () => { location = '/gone'; }</script>`, { wait_for: 'css:.never' }],
    ['a Refresh', 'not_in_archive', '<meta http-equiv="refresh" content="0; url=/gone">', { wait_for: 'css:.never' }],
    ['a click', 'not_in_archive', '<a href="/gone">gone</a>', { steps: [{ click: 'text=gone' }] }],
    ['a step', 'step_failed', '', { steps: [{ goto: 'https://a.test/gone' }] }],
  ])('to which %s leads is %s', async (_, code, body, params) => {
    const site = harOf({ url: 'https://a.test/', body: `<p>${body}` });
    await expect(show(site, 'https://a.test/', params)).rejects.toMatchObject({
      ...{ code, status: 422, message: expect.stringContaining('no response of https://a.test/gone; most like it are') as unknown },
    });
  });

  it.each([
    [{ replay: 'ftp://a.test/a.wacz' }, '"replay" must be an http or https URL'],
    [{ replay: dataUrl('<p>no archive') }, '"replay" must be a WACZ, WARC or HAR file'],
    [{ replay: archive, replay_at: '20240231000000' }, '"replay_at" must be an existing moment'],
    [{ replay_at: '20240201000000' }, '"replay_at" needs "replay"'],
    [{ replay_match: 'exact' }, '"replay_match" needs "replay"'],
    [{ replay_clock: 'now' }, '"replay_clock" needs "replay"'],
    [{ with_replay_report: true }, '"with_replay_report" needs "replay"'],
  ])('is refused with %j', async (params, message) => {
    await expect(host.render({ url: 'https://a.test/one', output_type: 'probe', ...params })).rejects.toMatchObject({
      ...{ code: 'invalid_parameters', message: expect.stringContaining(message) as unknown },
    });
  });

  it('that the request contains need not be in the archive', async () => {
    const styled = harOf({ url: 'https://a.test/a.css', type: 'text/css', body: 'p { color: rgb(1, 2, 3) }' });
    const html = `<link rel="stylesheet" href="/a.css"><p><script>onload = () => { window.report = getComputedStyle(document.querySelector('p')).color; }</script>`;
    expect((await show(styled, 'https://a.test/new', { html })).report).toBe('rgb(1, 2, 3)');
  });
});

it('a crawl of the archive fetches its pages, files, sitemaps and robots.txt from there', async () => {
  const archive = harOf(
    { url: 'https://a.test/', body: '<a href="/b">b</a><a href="/c.pdf">c</a><a href="/gone">gone</a>' },
    { url: 'https://a.test/b', body: '<p>second' },
    { url: 'https://a.test/c.pdf', type: 'application/pdf', body: '%PDF-1.4' },
    { url: 'https://a.test/robots.txt', type: 'text/plain', body: 'User-agent: *\nDisallow: /' },
    { url: 'https://a.test/sitemap.xml', type: 'text/xml', body: '<urlset><url><loc>https://a.test/b</loc></url></urlset>' },
  );
  const render = (url: string, params: Readonly<Record<string, unknown>>) =>
    host.render({ url, replay: archive, output_type: 'warc', crawl_delay: 0, ...params });
  const crawl = async (url: string, params: Readonly<Record<string, unknown>>) => {
    const result = await render(url, params);
    const { gunzipSync } = await import('node:zlib');
    const bytes = await result.bytes();
    return (bytes[0] === 0x1f ? gunzipSync(bytes) : bytes).toString();
  };
  const linked = await crawl('https://a.test/', { crawl_links: true });
  for (const stored of ['<p>second', '%PDF-1.4', 'Disallow: /']) expect(linked).toContain(stored);
  expect(await crawl('https://a.test/sitemap.xml', { crawl_url_is_sitemap: 'xml' })).toContain('<p>second');
  for (const output_type of ['wacz', 'jsonl']) {
    const { assets, headers, bytes } = await render('https://a.test/', { output_type, crawl_links: true, with_replay_report: true });
    await bytes();
    const report = assets.kept.find(({ name }) => name === 'replay_report');
    const { requests, hits, misses } = JSON.parse(report ? await text(report.open()) : '{}') as Reported;
    expect(requests.map(({ url }) => url)).toEqual(expect.arrayContaining(['https://a.test/', 'https://a.test/b', 'https://a.test/gone']));
    expect(headers['X-Replay']).toContain(`hits=${String(hits)}; misses=${String(misses)};`);
  }
});

it('leaves no file and no handle behind, whatever becomes of the render', async () => {
  const mine = async () => [
    (await readdir(tmpdir())).filter((name) => /^platen-(?:archive|source)-/.test(name) && name.includes(`-${String(process.pid)}-`)),
    (await Promise.all((await readdir('/proc/self/fd')).map(async (fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))).filter(
      (name) => /platen-(?:archive|source)-/.test(name),
    ),
  ];
  const archive = harOf({ url: 'https://a.test/', body: '<p>' });
  await show(archive, 'https://a.test/');
  await expect(show(archive, 'https://a.test/none')).rejects.toThrow();
  await expect(show(dataUrl('PK\u0003\u0004 broken'), 'https://a.test/')).rejects.toThrow();
  await expect(show(archive, 'https://a.test/', { wait_for: 'css:.never', timeout: 2 })).rejects.toThrow();
  await expect.poll(mine).toEqual([[], []]);
});
