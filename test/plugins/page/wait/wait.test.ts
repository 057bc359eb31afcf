import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
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
    '/leaving': `<script>fetch('/held.png?3').catch(() => 0); addEventListener('load', () => setTimeout(() => location.replace('/clock'), 50))</script>`,
    '/frame-goes': `${CLOCK}<iframe src="/in-frame"></iframe>`,
    '/in-frame': `<script>fetch('/held.png?4').catch(() => 0); setTimeout(() => frameElement.remove(), 50)</script>`,
    '/plain.txt': { headers: { 'content-type': 'text/plain' }, body: 'no script here' },
    '/open-ended': `${CLOCK}<script>new EventSource('/sse'); fetch('/held.png?1').catch(() => 0); fetch('/held.png?2').catch(() => 0); report.asked = true</script>`,
  });
  prober = openProber();
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

  it.each(['/leaving', '/frame-goes'])('networkidle0 leaves out what a document that is gone had asked for: %s', async (path) => {
    const { report } = await probe(path, 'networkidle0:0.2');
    expect(report).toBeDefined();
  });

  it.each(['js:load', 'js:DOMContentLoaded'])('%s is met by a document without script', async (wait_for) => {
    await probe('/plain.txt', wait_for);
  });

  it('networkidle2 leaves two requests and an event stream under way', async () => {
    const { report } = await probe('/open-ended', 'networkidle2:0.1');
    expect(report).toMatchObject({ asked: true, events: ['dcl', 'load'] });
  });
});

describe('a condition that is not met', () => {
  it.each([
    ['/clock', 'css:#never'],
    ['/clock', 'js:never'],
    ['/slow-image', 'load'],
    ['/open-ended', 'networkidle0'],
    ['/plain.txt', 'js:never'],
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
  for (const wait_for of ['networkidle1', 'js:', 'soon', '-1']) {
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
