import type { ServerResponse } from 'node:http';
import { definePlugin, type Page } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { openProber, type Prober } from '../probe.js';

/** Requests that the page holds open, and what lets go of them. */
const held = new Map<string, ServerResponse>();
const hold = (_request: { url?: string | undefined }, response: ServerResponse): undefined => {
  held.set(_request.url ?? '', response);
};

const CLOCK = `<script>
report = { events: [] };
addEventListener('DOMContentLoaded', () => { start = performance.now(); report.events.push('dcl') });
addEventListener('load', () => report.events.push('load'));
setInterval(() => { if (self.start) report.since = performance.now() - start }, 5);
</script>`;

/** Runs the statement once the request is held. */
const whenHeld = (path: string, statement: string): string =>
  `fetch('/when-held?' + ${JSON.stringify(path)}).then((answer) => answer.text()).then(() => setTimeout(() => { ${statement} }, 50))`;

/** The page that crashes on the request of `/crash`: the last one that was opened. */
let doomed: Page | undefined;
const doom = definePlugin({
  name: 'doom',
  apply({ hooks }) {
    hooks.beforeNavigate.tap('doom', ({ page }) => {
      doomed = page;
    });
  },
});

let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/clock': CLOCK,
    '/slow-image': `${CLOCK}<img src="/held.png">`,
    '/held.png': hold,
    '/sse': hold,
    '/early': `${CLOCK}<script>document.dispatchEvent(new Event('app-ready')); report.fired = true</script>`,
    '/late': `${CLOCK}<script>addEventListener('load', () => setTimeout(() => { report.fired = true; dispatchEvent(new CustomEvent('app-ready')) }, 60))</script>`,
    '/stopped': `${CLOCK}<script>
      addEventListener('app-ready', (event) => event.stopImmediatePropagation(), true);
      addEventListener('load', () => setTimeout(() => { report.fired = true; document.body.dispatchEvent(new Event('app-ready')) }, 20));
      report.globals = Object.getOwnPropertyNames(self).filter((key) => /^fired$|^wait/.test(key));
    </script>`,
    '/forward': `<script>addEventListener('load', () => setTimeout(() => location.replace('/late'), 30))</script>`,
    '/build': `${CLOCK}<script>addEventListener('load', () => setTimeout(() => { document.body.innerHTML = '<p id="built"></p>' }, 60))</script>`,
    '/check': `${CLOCK}<input type="checkbox" id="c"><script>addEventListener('load', () => setTimeout(() => { c.checked = true }, 60))</script>`,
    '/forward-build': `<script>addEventListener('load', () => setTimeout(() => location.replace('/build'), 30))</script>`,
    '/chain': `${CLOCK}<script>
      addEventListener('load', async () => {
        for (report.steps = 0; report.steps < 5; report.steps += 1) {
          await fetch('/step');
          await new Promise((resolve) => setTimeout(resolve, 40));
        }
        new Worker('/chain.js').onmessage = () => { report.worker = true };
      });
    </script>`,
    '/step': 'step',
    '/chain.js': { headers: { 'content-type': 'text/javascript' }, body: "fetch('/step').then(() => postMessage(1))" },
    '/when-held': async ({ url = '' }) => {
      await until(() => held.has(url.slice('/when-held?'.length)));
      return 'held';
    },
    '/forgets': `<img src="/held.png?image"><script>fetch('/held.png?fetch');
      ${whenHeld('/held.png?image', "location.replace('/clock')")}</script>`,
    '/reloads': `${CLOCK}<script>report.again = sessionStorage.again;
      if (!sessionStorage.again) { sessionStorage.again = 1; fetch('/held.png?reload'); ${whenHeld('/held.png?reload', 'location.reload()')} }</script>`,
    '/refreshes': `<meta http-equiv=refresh content="0.3;url=/clock"><script>fetch('/held.png?refresh')</script>`,
    '/terminates': `${CLOCK}<script>worker = new Worker('/holding.js');
      ${whenHeld('/held.png?worker', 'worker.terminate(); report.ended = true')}</script>`,
    '/holding.js': { headers: { 'content-type': 'text/javascript' }, body: "fetch('/held.png?worker')" },
    '/forgets-shared': `<script>new SharedWorker('/holding-shared.js'); ${whenHeld('/held.png?shared', "location.replace('/clock')")}</script>`,
    '/holding-shared.js': { headers: { 'content-type': 'text/javascript' }, body: "fetch('/held.png?shared')" },
    '/removes': `${CLOCK}<body><script>
      frame = document.createElement('iframe');
      frame.src = 'http://localhost:' + location.port + '/framed';
      document.body.append(frame);
      ${whenHeld('/held.png?frame', 'frame.remove(); report.ended = true')}</script>`,
    '/framed': `<script>fetch('/held.png?frame')</script>`,
    '/moves-frame': `${CLOCK}<body><iframe src="/framed-moving"></iframe><script>report.ended = true</script>`,
    '/framed-moving': `<script>fetch('/held.png?moving'); ${whenHeld('/held.png?moving', "location.replace('/plain')")}</script>`,
    '/plain': '<h1>no script here</h1>',
    '/plain-slow': '<h1>no script here</h1><img src="/held.png?plain">',
    '/plain.svg': { headers: { 'content-type': 'image/svg+xml' }, body: '<svg xmlns="http://www.w3.org/2000/svg"><rect/></svg>' },
    '/plain.txt': { headers: { 'content-type': 'text/plain' }, body: 'no script here' },
    '/crashes': `<script>fetch('/held.png?crash'); addEventListener('load', () => setTimeout(() => fetch('/crash'), 100))</script>`,
    '/crash': () => {
      doomed?.send('Page.crash').catch(() => undefined);
      return undefined;
    },
    '/leaves': `<script>addEventListener('load', () => setTimeout(() => { location.href = 'http://127.0.0.1:9999/' }, 100))</script>`,
    '/breaks': (_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html', 'content-length': '100000' });
      response.write('<h1>beginning</h1>');
      setTimeout(() => response.destroy(), 100);
      return undefined;
    },
    '/three': `<script>for (const name of 'abc') fetch('/held.png?three-' + name).catch(() => 0)</script>`,
    '/open-ended': `${CLOCK}<script>new EventSource('/sse'); fetch('/held.png?1').catch(() => 0); fetch('/held.png?2').catch(() => 0); report.asked = true</script>`,
  });
  prober = openProber({ plugins: [doom], flags: { 'browser-concurrency': 8 } });
});
afterAll(async () => {
  for (const response of held.values()) response.destroy();
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const probe = (path: string, wait_for?: string, more: object = {}) =>
  prober.probe({ url: site.url(path), ...(wait_for === undefined ? {} : { wait_for }), ...more });

describe('wait_for', () => {
  it('left out waits for load', async () => {
    expect((await probe('/clock')).report.events).toEqual(['dcl', 'load']);
  });

  it('immediate is DOMContentLoaded', async () => {
    expect((await probe('/slow-image', 'immediate')).report.events).toEqual(['dcl']);
  });

  it('load is the load event', async () => {
    expect((await probe('/clock', 'load')).report.events).toEqual(['dcl', 'load']);
  });

  it('load waits for no request that comes after it', async () => {
    expect((await probe('/open-ended', 'load')).report).toMatchObject({ asked: true });
  });

  it('css: does not need the load event', async () => {
    expect((await probe('/slow-image', 'css:img')).report.events).toEqual(['dcl']);
  });

  it('a number counts from DOMContentLoaded, whether or not the page has loaded', async () => {
    const { report } = await probe('/slow-image', '0.3');
    expect(report.events).toEqual(['dcl']);
    expect(report.since).toBeGreaterThan(250);
  });

  it.each(['/early', '/late', '/stopped', '/forward'])('js: hears the event of %s', async (path) => {
    const { report } = await probe(path, 'js:app-ready');
    expect(report.fired).toBe(true);
    if (path === '/stopped') expect(report.globals).toEqual([]);
  });

  it('css: is met by an element that is built later', async () => {
    expect((await probe('/build', 'css:#built')).html).toContain('built');
  });

  it('css: is met by a state without a change of the document', async () => {
    expect((await probe('/check', 'css:#c:checked')).report.events).toContain('load');
  });

  it('css: goes on in the document that follows', async () => {
    expect((await probe('/forward-build', 'css:#built')).html).toContain('id="built"');
  });

  it('networkidle0 waits for a chain of requests, a worker’s included', async () => {
    const { report } = await probe('/chain', 'networkidle0:0.3');
    expect(report).toMatchObject({ steps: 5, worker: true });
  });

  it('networkidle2 allows two requests and an event stream in flight', async () => {
    const { report } = await probe('/open-ended', 'networkidle2:0.1');
    expect(report).toMatchObject({ asked: true, events: ['dcl', 'load'] });
  });
});

describe('networkidle0 leaves out what was asked for', () => {
  it.concurrent.each(['/forgets', '/reloads', '/refreshes', '/forgets-shared'])('by a document that was replaced: %s', async (path) => {
    const { report } = await probe(path, 'networkidle0:0.4', { timeout: 12 });
    expect(report.events).toEqual(['dcl', 'load']);
    if (path === '/reloads') expect(report.again).toBe('1');
  });

  it.concurrent.each([
    ['/terminates', 'a worker that was terminated'],
    ['/removes', 'a frame of another site that was removed'],
    ['/moves-frame', 'the replaced document of a frame'],
  ])('in %s, by %s', async (path) => {
    expect((await probe(path, 'networkidle0', { timeout: 12 })).report.ended).toBe(true);
  });
});

describe('js: in a document without a script', () => {
  it.each([
    ['/plain', 'js:load'],
    ['/plain', 'js:DOMContentLoaded'],
    ['/plain-slow', 'js:DOMContentLoaded'],
    ['/plain.svg', 'js:load'],
    ['/plain.svg', 'js:DOMContentLoaded'],
    ['/plain.txt', 'js:load'],
  ])('%s meets %s', async (path, wait_for) => {
    expect((await probe(path, wait_for, { timeout: 12 })).html).not.toBe('');
  });

  it.concurrent.each(['/plain', '/plain.svg', '/plain.txt'])('%s does not meet what nobody fires', async (path) => {
    await expect(probe(path, 'js:app-ready', { timeout: 1.5 })).rejects.toThrow(
      expect.objectContaining({ code: 'render_timeout', details: expect.objectContaining({ unmet: 'wait_for=js:app-ready' }) }),
    );
  });
});

describe('a wait that has become vain ends at once', () => {
  const forms = ['20', 'networkidle0:20', 'js:never', 'css:#never'];

  it.each(forms)('where the page crashes: %s', async (wait_for) => {
    await expect(probe('/crashes', wait_for, { timeout: 15 })).rejects.toThrow(expect.objectContaining({ code: 'page_crashed' }));
  });

  it.each(forms)('where the page goes to where nothing answers: %s', async (wait_for) => {
    await expect(probe('/leaves', wait_for, { timeout: 15 })).rejects.toThrow(
      expect.objectContaining({
        code: 'target_unreachable',
        details: expect.objectContaining({ target: { url: 'http://127.0.0.1:9999/', net_error: 'net::ERR_CONNECTION_REFUSED' } }),
      }),
    );
  });

  it.each([undefined, 'load', 'immediate', ...forms])('where the document breaks off: %s', async (wait_for) => {
    await expect(probe('/breaks', wait_for, { timeout: 15 })).rejects.toThrow(
      expect.objectContaining({
        code: 'target_unreachable',
        details: expect.objectContaining({ target: { url: site.url('/breaks'), net_error: 'net::ERR_CONTENT_LENGTH_MISMATCH' } }),
      }),
    );
  });
});

describe('a condition that is not met', () => {
  it.concurrent.each([
    ['/clock', 'css:#never'],
    ['/clock', 'js:never'],
    ['/slow-image', 'load'],
    ['/slow-image', 'networkidle0'],
    ['/slow-image', 'networkidle2:0'],
    ['/open-ended', 'networkidle0'],
    ['/three', 'networkidle2'],
    ['/clock', '30'],
  ])('on %s is named: %s', async (path, wait_for) => {
    await expect(probe(path, wait_for, { timeout: 1.5 })).rejects.toThrow(
      expect.objectContaining({
        code: 'render_timeout',
        details: expect.objectContaining({ phase: 'wait', unmet: `wait_for=${wait_for}` }),
      }),
    );
  });

  it('ends when the client leaves', async () => {
    const leave = new AbortController();
    const { kernel } = prober.host;
    const rendering = kernel.render(
      kernel.plan(kernel.validate({ url: site.url('/clock'), output_type: 'probe', wait_for: 'css:#never' }, 'body')),
      {
        signal: leave.signal,
        onPhase: (phase) => {
          if (phase === 'wait') leave.abort();
        },
      },
    );
    await expect(rendering).rejects.toThrow(expect.objectContaining({ code: 'client_closed' }));
  });
});

it('is refused before any browser is asked, with the forms there are', () => {
  const { kernel } = prober.host;
  for (const wait_for of ['networkidle1', 'soon']) {
    expect(() => kernel.plan(kernel.validate({ url: site.url('/clock'), output_type: 'probe', wait_for }, 'body'))).toThrow(
      /"wait_for" must be .*networkidle0.*css:selector/,
    );
  }
});

it('says which selector is none', async () => {
  await expect(probe('/clock', 'css:p:::x')).rejects.toThrow(
    expect.objectContaining({ code: 'invalid_parameters', message: expect.stringContaining('p:::x') }),
  );
});
