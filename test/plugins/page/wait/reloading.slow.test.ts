import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import wait from '../../../../plugins/page/wait/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openProber, type Prober } from '../probe.js';

const CLOCK = `<script>
report = {};
addEventListener('DOMContentLoaded', () => { start = performance.now() });
setInterval(() => { if (self.start) report.since = performance.now() - start }, 5);
</script>`;

let site: Site;
let prober: Prober;
beforeAll(async () => {
  site = await openSite({
    '/clock': CLOCK,
    '/ticks': '<meta http-equiv=refresh content=1>',
    '/spins': "<script>addEventListener('load', () => setTimeout(() => location.reload(), 100))</script>",
    '/hops': "<script>addEventListener('load', () => setTimeout(() => location.replace('/clock'), 200))</script>",
  });
  prober = openProber();
});
afterAll(async () => {
  await prober[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

describe('on a page that reloads itself for ever, a wait ends', () => {
  it.each([
    ['/ticks', '2'],
    ['/ticks', '4'],
    ['/spins', '1.5'],
    ['/ticks', 'load'],
    ['/spins', 'immediate'],
    ['/ticks', 'networkidle0:0.3'],
    ['/spins', 'networkidle2:0.5'],
  ])('%s, %s', async (path, wait_for) => {
    // Nothing is asked of a page that may be another one by then.
    const arrive = definePlugin({
      name: 'arrive',
      captures: [{ kind: 'arrive' }],
      outputs: [{ type: 'arrive', from: 'arrive', contentType: 'text/plain', extension: 'txt' }],
      apply({ hooks }) {
        hooks.capture.for('arrive').tap('arrive', () => 'arrived');
        hooks.encode.for('arrive').tap('arrive', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from('arrived') }));
      },
    });
    await using host = createTestKernel({ plugins: [wait, arrive] });
    const result = await host.render({ output_type: 'arrive', url: site.url(path), wait_for, timeout: 15 });
    expect((await result.bytes()).toString()).toBe('arrived');
  });

  it('and a number counts from the document that a redirect led to', async () => {
    const { report } = await prober.probe({ url: site.url('/hops'), wait_for: '0.6' });
    expect(report.since).toBeGreaterThan(500);
  });
});
