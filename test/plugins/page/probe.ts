import { definePlugin, type EgressEntry } from '@platen/kernel';
import { createTestKernel, type TestKernel, type TestKernelOptions } from '@platen/kernel/testing';
import emulate from '../../../plugins/page/emulate/src/index.js';
import target from '../../../plugins/page/target/src/index.js';
import wait from '../../../plugins/page/wait/src/index.js';

/** An output that is what the page says of itself: the value of `window.report`, a promise or not. */
export const probe = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'application/json', extension: 'json' }],
  apply({ hooks }) {
    hooks.capture.for('probe').tapPromise('probe', async ({ page, egress }) => ({
      report: await page.evaluateInMainWorld('window.report'),
      html: await page.evaluate(() => document.documentElement.outerHTML),
      entries: egress.entries.map((entry) => ({ ...entry })),
    }));
    hooks.encode
      .for('probe')
      .tapPromise('probe', (capture) =>
        Promise.resolve({ contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify(capture)) }),
      );
  },
});

export interface Probed {
  // What a page reports is checked by the expectations on it.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly report: any;
  readonly html: string;
  readonly entries: readonly EgressEntry[];
  /** Of the answer. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface Prober extends AsyncDisposable {
  readonly host: TestKernel;
  probe(params: Readonly<Record<string, unknown>>): Promise<Probed>;
}

/** A kernel with the three page plugins, the probe, and what is given. */
export function openProber({ plugins = [], ...options }: Partial<TestKernelOptions> = {}): Prober {
  const host = createTestKernel({ ...options, plugins: [target, emulate, wait, probe, ...plugins] });
  return {
    host,
    async probe(params) {
      const result = await host.render({ output_type: 'probe', ...params });
      return { ...JSON.parse((await result.bytes()).toString()), headers: result.headers } as Probed;
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
