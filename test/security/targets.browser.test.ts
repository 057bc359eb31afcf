import { isPlatenError } from '@platen/kernel';
import egress from '@platen/plugin-egress';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../helpers/site.js';
import { openRawServer, type RawServer } from '../kernel/egress/client.js';
import { openProber, type Prober } from '../plugins/page/probe.js';

const innerUrl = () => `http://127.0.0.2:${String(inner.port)}/`;

let site: Site;
/** An inner service at 127.0.0.2, and how often it was reached. */
let inner: RawServer;
let reached = 0;
/** Refuses all that is private but 127.0.0.1, where the site is. */
let prober: Prober;
/** Refuses nothing but what is always refused. */
let lenient: Prober;
beforeAll(async () => {
  inner = await openRawServer((socket) => {
    reached += 1;
    socket.destroy();
  }, '127.0.0.2');
  site = await openSite({
    '/redirect/302': () => ({ status: 302, headers: { location: innerUrl() } }),
    '/redirect/307': () => ({ status: 307, headers: { location: innerUrl() } }),
    '/redirect/meta': () => `<meta http-equiv="refresh" content="0;url=${innerUrl()}">`,
    '/redirect/script': () => `<script>location.href = '${innerUrl()}'</script>`,
    '/redirect/form': () => `<form action="${innerUrl()}" method="post"></form><script>document.forms[0].submit()</script>`,
    '/redirect/file': { status: 302, headers: { location: 'file:///etc/passwd' } },
    '/redirect/chrome': { status: 302, headers: { location: 'chrome://version/' } },
    '/redirect/data': { status: 302, headers: { location: 'data:text/html,inside' } },
    '/files': `<iframe src="file:///etc/passwd"></iframe><iframe src="view-source:file:///etc/passwd"></iframe><img src="file:///etc/hostname">
      <object data="file:///etc/passwd"></object><iframe src="chrome://version/"></iframe>
      <script>
        report = Promise.all(['file:///etc/passwd', 'chrome://version/', 'view-source:http://a.test/'].map((url) => fetch(url).then((a) => a.text(), () => 'failed')))
          .then((texts) => ({ texts, frames: Array.from({ length: frames.length }, (_, index) => frames[index]).map((frame) => { try { return frame.document.body.innerText } catch { return 'closed' } }) }));
      </script>`,
    '/refresh-file': '<meta http-equiv="refresh" content="0;url=file:///etc/passwd"><p>still here',
    '/top-data': '<p>still here<script>location.href = "data:text/html,<p>inside"</script>',
  });
  prober = openProber({ plugins: [egress], flags: { 'block-private-ips': true, 'allow-ip-range': ['127.0.0.1'] } });
  lenient = openProber();
});
afterAll(async () => {
  for (const each of [prober, lenient, site, inner]) await each[Symbol.asyncDispose]();
});

describe('S4: every spelling of a refused address', () => {
  const HOSTS = [
    ...['127.0.0.1', '2130706433', '0x7f.1', '0251.0376.0251.0376', '127.1', '0177.0.0.1', '0x7f000001', '0.0.0.0', '0'],
    ...['[::ffff:127.0.0.1]', '[::ffff:7f00:1]', '[::ffff:a9fe:a9fe]', '[::]', '[::1]', '[0:0:0:0:0:0:0:1]', '[64:ff9b::7f00:1]'],
    ...['localhost', 'localhost.', 'x.localhost', 'LOCALHOST', '127.0.0.1.', '8.8.8.8@127.0.0.1', '１２７.０.０.１', '①②⑦.⓪.⓪.①'],
  ];

  it('is the same decision', async () => {
    const before = site.requests.length;
    await using strict = openProber({ plugins: [egress], flags: { 'block-private-ips': true } });
    const seen: unknown[] = [];
    for (const host of HOSTS) {
      const rendering = strict.probe({ url: `http://${host}:${String(site.port)}/` });
      seen.push([
        host,
        await rendering.then(
          () => 'rendered',
          (error: unknown) => (isPlatenError(error) ? error.code : error),
        ),
      ]);
    }
    expect(seen).toEqual(HOSTS.map((host) => [host, 'target_blocked']));
    expect(site.requests).toHaveLength(before);
  });
});

describe('S2, S3: what only the browser could reach', () => {
  it.each(['file', 'chrome', 'data'])('S2: a redirect to %s: fails, and shows nothing', async (scheme) => {
    await expect(lenient.probe({ url: site.url(`/redirect/${scheme}`) })).rejects.toMatchObject({ code: 'target_blocked' });
  });

  it('S3: files are neither framed nor fetched, and the page is rendered', async () => {
    const { report, html } = await lenient.probe({ url: site.url('/files') });
    expect(report.texts).toEqual(['failed', 'failed', 'failed']);
    expect(report.frames).toHaveLength(3);
    expect(JSON.stringify([report, html])).not.toMatch(/root:|headless_shell|Command Line/);
  });

  it.each(['/refresh-file', '/top-data'])('S3: a page does not leave for a file or for data: %s', async (path) => {
    const { html } = await lenient.probe({ url: site.url(path), wait_for: 'networkidle0' });
    expect(html).toContain('still here');
  });

  it('S3: a data: document reaches no file', async () => {
    const page =
      '<iframe src="file:///etc/passwd"></iframe><script>report = fetch("file:///etc/passwd").then((a) => a.text(), () => "failed")</script>';
    const { report, html } = await lenient.probe({ url: `data:text/html,${encodeURIComponent(page)}` });
    expect(report).toBe('failed');
    expect(html).not.toContain('root:');
  });
});

describe('S7: a way round over another page', () => {
  it.each(['302', '307', 'meta', 'script', 'form'])('%s leads to nothing', async (kind) => {
    // A page that leaves is waited for longer than the leaving takes; its end comes with the refusal.
    await expect(prober.probe({ url: site.url(`/redirect/${kind}`), wait_for: '20' })).rejects.toMatchObject({
      code: 'target_blocked',
      details: { target: { url: innerUrl() } },
    });
    expect(reached).toBe(0);
  });
});
