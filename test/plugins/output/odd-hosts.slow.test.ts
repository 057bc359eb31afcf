import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import adblock from '@platen/plugin-adblock';
import axtree from '@platen/plugin-axtree';
import dom from '@platen/plugin-dom';
import exchanges from '@platen/plugin-network';
import har from '@platen/plugin-har';
import html from '@platen/plugin-html';
import markdown from '@platen/plugin-markdown';
import mhtml from '@platen/plugin-mhtml';
import modals from '@platen/plugin-modals';
import networkLog from '@platen/plugin-network-log';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import robots from '@platen/plugin-robots';
import storage from '@platen/plugin-storage';
import target from '@platen/plugin-target';
import trace from '@platen/plugin-trace';
import tree from '@platen/plugin-accessibility';
import wait from '@platen/plugin-wait';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../helpers/site.js';
import { readHar } from '../capture/network/har-prober.js';

// Hosts that Chromium asks for and `new URL` of Node throws at.
const ODD = ['http://my site.example/logo.png?a=1&b=2#c', 'http://xn--a/x', 'http://xn--zzzz99999/', 'https://xn--a/secure'];

const PAGE = `<!doctype html><title>Odd</title><link rel="stylesheet" href="http://my site.example/style.css"><h1>Odd hosts</h1>
  ${ODD.map((url) => `<img src="${url}"><a href="${url}">to it</a>`).join('')}
  <style>@font-face{font-family:A;src:url("http://xn--a/font.woff2")}h1{font-family:A}</style>
  <script src="http://my site.example/script.js"></script><iframe src="http://xn--a/frame"></iframe>
  <script>
    new WebSocket('ws://my site.example/socket');
    Promise.allSettled(['http://my site.example/fetched', 'http://xn--a/fetched'].map((url) => fetch(url, { mode: 'no-cors' })))
      .then(() => document.body.append(Object.assign(document.createElement('p'), { id: 'done' })));
  </script>`;

const plugins = [
  ...[pixels, png, dom, html, markdown, mhtml, tree, axtree, target, wait, robots, modals, adblock],
  ...[exchanges, har, networkLog, trace, pprof, storage],
];
const host = createTestKernel({ plugins });
const ALL = { with_har: true, with_network_log: true, with_trace: true, with_pprof_cpu: true, with_pprof_memory: true, with_storage: true };
const DONE = { wait_for: 'css:#done', timeout: 40 };

let site: Site;
let folder: string;
/** Judges each request before it goes on. */
let blocking: TestKernel;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-odd-hosts-'));
  await writeFile(join(folder, 'list.txt'), '||blocked.example^\n');
  blocking = createTestKernel({ plugins, flags: { 'adblock-rules': [join(folder, 'list.txt')] } });
  site = await openSite({
    '/': PAGE,
    '/leads': '<p>on</p><script>location = "http://my site.example/away"</script>',
    '/redirects': { status: 302, headers: { location: 'http://user:secret@my%20site.example/away' } },
  });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await blocking[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('a page that asks hosts that are none', () => {
  it.each(['png', 'html', 'markdown', 'mhtml', 'axtree', 'har', 'trace', 'pprof_cpu'])('renders to %s', async (output_type) => {
    const result = await host.render({ url: site.url('/'), ...DONE, output_type, remove_modals: true });
    expect((await result.bytes()).length).toBeGreaterThan(10);
  });

  it('leaves every asset, and the HAR has their entries', async () => {
    const { assets } = await host.render({ url: site.url('/'), ...DONE, ...ALL });
    expect(assets.missing).toEqual([]);
    const kept = assets.kept.find(({ name }) => name === 'har');
    const { log } = await readHar(await text(kept?.open() ?? Readable.from([])));
    const entryOf = (url: string) => log.entries.find(({ request }) => request.url === url);
    expect(entryOf('http://my%20site.example/logo.png?a=1&b=2')).toMatchObject({
      request: {
        queryString: [
          { name: 'a', value: '1' },
          { name: 'b', value: '2' },
        ],
      },
      response: { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' },
    });
    for (const url of ['http://xn--a/x', 'https://xn--a/secure', 'http://my%20site.example/script.js', 'http://xn--a/frame']) {
      expect(entryOf(url)).toMatchObject({ response: { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' } });
    }
    expect(entryOf('ws://my%20site.example/socket')).toBeDefined();
  });

  it('and where requests are judged, they are refused and all else goes on', async () => {
    const params = { url: site.url('/'), ...DONE, output_type: 'har', header: ['X-Preview: 1'] };
    const result = await blocking.render(params);
    const { log } = await readHar((await result.bytes()).toString());
    expect(log.entries.find(({ request }) => request.url === 'http://xn--a/x')).toMatchObject({
      response: { status: 0, _error: 'net::ERR_NAME_NOT_RESOLVED' },
    });
  });
});

describe('a target that leads to a host that is none', () => {
  const refused = {
    code: 'target_unreachable',
    message: 'the target could not be reached: net::ERR_NAME_NOT_RESOLVED: "my%20site.example" is not a valid host name',
    details: { target: { url: 'http://my%20site.example/away', net_error: 'net::ERR_NAME_NOT_RESOLVED' }, retryable: false },
  };

  it.each([
    ['/leads', true],
    ['/leads', false],
    ['/redirects', true],
    ['/redirects', false],
  ])('by %s is not to be had, with skip_robots_txt=%s', async (path, skip_robots_txt) => {
    await expect(host.render({ url: site.url(path), skip_robots_txt, wait_for: 'networkidle0' })).rejects.toMatchObject(refused);
  });

  it('nor where requests are judged', async () => {
    await expect(blocking.render({ url: site.url('/leads'), wait_for: 'networkidle0' })).rejects.toMatchObject(refused);
  });
});
