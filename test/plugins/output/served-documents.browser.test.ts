import { silentLogger } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import dom from '../../../plugins/capture/dom/src/index.js';
import download from '../../../plugins/output/download/src/index.js';
import html from '../../../plugins/output/html/src/index.js';
import mhtml from '../../../plugins/output/mhtml/src/index.js';
import { openSite, type Site } from '../../helpers/site.js';
import { openProber, type Prober } from '../page/probe.js';

/** It tries whatever a page can to read from the server that hands it out. */
const SCRIPT = `report = fetch('/status').then((answer) => answer.text(), String); document.title = 'ran at ' + origin`;
const HOSTILE = `<!doctype html><title>Hostile</title><p>shown</p><a id="go" href="javascript:${SCRIPT}">go</a><script>${SCRIPT}</script>
<img src="x:" onerror="${SCRIPT}"><iframe srcdoc="<script>top.document.title = 'ran at ' + origin</script>framed"></iframe><svg onload="${SCRIPT}"></svg>
<meta http-equiv="set-cookie" content="a=b">`;
const DRAWING = `<svg xmlns="http://www.w3.org/2000/svg"><text y="9">shown</text><script>${SCRIPT}</script></svg>`;

const host = createTestKernel({ plugins: [dom, html, mhtml, download] });
const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
let base: string;
let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/page': { headers: { 'content-type': 'text/html', 'set-cookie': 'theirs=1' }, body: HOSTILE },
    '/page.html': { headers: { 'content-type': 'text/html', 'content-disposition': 'attachment' }, body: HOSTILE },
    '/drawing.svg': { headers: { 'content-type': 'image/svg+xml', 'content-disposition': 'attachment' }, body: DRAWING },
  });
  base = await server.listen();
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await server.close(0);
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const link = (path: string, type: string) => `${base}/?${new URLSearchParams({ url: site.url(path), output_type: type }).toString()}`;

describe('a page that was rendered, handed out by the server', () => {
  it.each([
    ['/page', 'html', 'text/html; charset=utf-8'],
    ['/page', 'mhtml', 'multipart/related'],
    ['/page.html', 'download', 'text/html'],
    ['/drawing.svg', 'download', 'image/svg+xml'],
  ])('%s as %s has an origin of its own, a type that is not guessed, and no cookies', async (path, type, contentType) => {
    const { headers, status } = await fetch(link(path, type));
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: contentType });
    expect(headers.get('content-security-policy')).toBe('sandbox');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('set-cookie')).toBeNull();
  });

  it.each([
    ['/page', 'html'],
    ['/page.html', 'download'],
    ['/drawing.svg', 'download'],
  ])('%s as %s, opened in a browser, runs nothing and reads nothing of the server', async (path, type) => {
    const opened = await prober.probe({ url: link(path, type) });
    expect(opened.html).toContain('shown');
    // It ran where it was rendered.
    expect(opened.html.match(/ran at (?:http|null)[^<]*/g) ?? []).toEqual(
      type === 'html' ? [`ran at ${new URL(site.url('/')).origin}`] : [],
    );
    expect(opened.report).toBeUndefined();
  });

  it('holds as html nothing that would run without that protection', async () => {
    const saved = await (await fetch(link('/page', 'html'))).text();
    const opened = await prober.probe({ url: `data:text/html,${encodeURIComponent(saved)}` });
    expect(saved).not.toMatch(/javascript:|onerror|onload|<script|&lt;script/);
    expect(opened.html).toContain('framed');
    expect(opened.report).toBeUndefined();
  });
});
