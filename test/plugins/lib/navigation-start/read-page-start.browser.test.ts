import { definePlugin, PlatenError, type ProtocolSession } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { describe, expect, it } from 'vitest';
import { readPageStart } from '../../../../plugins/lib/navigation-start/src/index.js';

/** A page that answers each command by the next of these. */
function fakePage(answers: readonly unknown[]): ProtocolSession & { readonly asked: string[] } {
  const waiting = [...answers];
  const asked: string[] = [];
  const send = (method: string) => {
    asked.push(method);
    const next = waiting.shift();
    return next instanceof Error ? Promise.reject(next) : Promise.resolve(next);
  };
  return { asked, send: send as ProtocolSession['send'], on: () => () => undefined };
}

const metrics = (value: number) => ({ metrics: [{ name: 'NavigationStart', value }] });

describe('when a page began', () => {
  it('is told in microseconds of the clock of its browser', async () => {
    const times: (number | undefined)[] = [];
    const probe = definePlugin({
      name: 'probe',
      captures: [{ kind: 'probe' }],
      outputs: [{ type: 'probe', from: 'probe', contentType: 'text/plain', extension: 'txt' }],
      apply({ hooks }) {
        hooks.capture.for('probe').tapPromise('probe', async ({ page }) => {
          await page.send('Profiler.enable');
          await page.send('Profiler.start');
          times.push(await readPageStart(page), (await page.send('Profiler.stop')).profile.startTime);
          return 'x';
        });
        hooks.encode
          .for('probe')
          .tapPromise('probe', () => Promise.resolve({ contentType: 'text/plain', extension: 'txt', body: Buffer.from('x') }));
      },
    });
    await using host = createTestKernel({ plugins: [probe] });
    await host.render({ url: 'data:text/html,<p>x', output_type: 'probe' });
    const [start = NaN, profiled = NaN] = times;
    expect(start).toBeLessThan(profiled);
    expect(profiled - start).toBeLessThan(30_000_000);
  });

  it('a document that is replaced meanwhile takes the question with it: the next one is asked', async () => {
    const page = fakePage([new Error('Inspected target navigated or closed'), {}, metrics(12.345678), {}]);
    expect(await readPageStart(page)).toBe(12_345_678);
  });

  it('a page that does not answer is not asked twice', async () => {
    const page = fakePage([new PlatenError('render_timeout', 'the page did not answer')]);
    expect(await readPageStart(page)).toBeUndefined();
    expect(page.asked).toEqual(['Performance.enable']);
  });

  it('a document without a start has none', async () => {
    expect(await readPageStart(fakePage([{}, metrics(0), {}, {}, { metrics: [] }, {}]))).toBeUndefined();
  });
});
