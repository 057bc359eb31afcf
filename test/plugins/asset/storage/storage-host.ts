import { buffer } from 'node:stream/consumers';
import { definePlugin, type Logger, silentLogger } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import storage from '../../../../plugins/asset/storage/src/index.js';
import target from '../../../../plugins/page/target/src/index.js';

/** An output that is what the page says of itself: the value of `window.report`, a promise or not. */
export const report = definePlugin({
  name: 'report',
  captures: [{ kind: 'report' }],
  outputs: [{ type: 'report', from: 'report', contentType: 'application/json', extension: 'json' }],
  apply({ hooks }) {
    hooks.capture.for('report').tapPromise('report', async ({ page }) => ({ value: await page.evaluateInMainWorld('window.report') }));
    hooks.encode
      .for('report')
      .tapPromise('report', (capture) =>
        Promise.resolve({ contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify(capture)) }),
      );
  },
});

/** An output that is read from the page when the assets are collected already: where it is then. */
const streamed = definePlugin({
  name: 'streamed',
  captures: [{ kind: 'streamed', streaming: true }],
  outputs: [{ type: 'streamed', from: 'streamed', contentType: 'application/json', extension: 'json' }],
  apply({ hooks }) {
    hooks.capture.for('streamed').tap('streamed', ({ page }) => ({ href: () => page.evaluate(() => location.href) }));
    hooks.encode.for('streamed').tapPromise('streamed', async (capture, { release }) => {
      // What the capture above made.
      const value = await (capture as { href: () => Promise<string> }).href();
      release();
      return { contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify({ value })) };
    });
  },
});

export interface Rendered {
  // What a page reports and what is stored are checked by the expectations on them.
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly report: any;
  // oxlint-disable-next-line typescript/no-explicit-any -- see above
  readonly state: any;
  /** The asset's bytes; undefined where there is none. */
  readonly file: Buffer | undefined;
  /** What the asset says is missing from it. */
  readonly incomplete: string | undefined;
  readonly missing: readonly { readonly name: string; readonly reason: string }[];
}

export interface StorageHost extends AsyncDisposable {
  readonly host: TestKernel;
  /** What was logged, with its fields. */
  readonly logged: readonly { readonly fields: object; readonly message: string }[];
  render(params: Readonly<Record<string, unknown>>): Promise<Rendered>;
}

/** A kernel whose renders have storage. */
export function openStorageHost(flags: Readonly<Record<string, unknown>> = {}): StorageHost {
  const logged: { fields: object; message: string }[] = [];
  const keep = (fields: object, message: string) => void logged.push({ fields, message });
  const log: Logger = { ...silentLogger, info: keep, warn: keep, error: keep, child: () => log };
  const host = createTestKernel({ plugins: [target, storage, report, streamed], flags, log });
  return {
    host,
    logged,
    async render(params) {
      const result = await host.render({ output_type: 'report', ...params }, { log });
      const [asset] = result.assets.kept;
      const file = asset && (await buffer(asset.open()));
      const { missing } = result.assets;
      return {
        report: JSON.parse((await result.bytes()).toString()).value,
        state: file && JSON.parse(file.toString()),
        file,
        incomplete: asset?.incomplete,
        missing,
      };
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  };
}
