import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openProber, type Prober } from '../plugins/page/probe.js';
import { openServer, output, rendered, type TestServer } from '../server/test-server.js';

/** A page as an output may hold it: what would run has a try at the server that it came from. */
const HOSTILE = `<!doctype html><title>Hostile</title><p>shown</p><iframe src="/status"></iframe>
<script>report = fetch('/status').then((answer) => answer.text(), String); document.title = 'ran'</script>
<svg onload="document.title = 'ran'"></svg><img src="x:" onerror="document.title = 'ran'">`;

let server: TestServer;
let prober: Prober;
beforeAll(async () => {
  server = await openServer({
    async render(plan, options) {
      return { ...(await rendered(plan, options)), output: output('html', Buffer.from(HOSTILE)) };
    },
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

describe('a rendered page, opened from the server', () => {
  it('is shown, runs nothing and has not the origin of the server', async () => {
    const { report, html } = await prober.probe({ url: `${server.url}/?url=http://a.test/&output_type=html` });
    expect(html).toContain('shown');
    expect(html).toContain('<title>Hostile</title>');
    expect(report).toBeUndefined();
  });

  it('would run without its headers', async () => {
    const { report, html } = await prober.probe({ url: `data:text/html,${encodeURIComponent(HOSTILE)}` });
    expect(html).toContain('<title>ran</title>');
    expect(report).toMatch(/TypeError/);
  });
});
