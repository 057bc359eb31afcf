import { definePlugin, type Plugin, type RenderContext } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import target from '../../../../plugins/page/target/src/index.js';
import webBotAuth from '../../../../plugins/page/web-bot-auth/src/index.js';
import { createKey, toDataUrl } from './keys.js';

export const AGENT = 'https://bot.example';
export const KEY = createKey();
export const SIGNATORY = { agent: AGENT, publicKey: KEY.publicKey };
export const SETTING = `${AGENT}=${toDataUrl(KEY.pem)}`;

export interface BotOptions {
  readonly flags?: Readonly<Record<string, unknown>>;
  /** Beside those that it needs. */
  readonly plugins?: readonly Plugin[];
  /** Instead of loading the target. */
  readonly visit?: (context: RenderContext) => Promise<void>;
}

/** A kernel that signs, with an output that is what the page's `window.report` resolves to. */
export function openBot({ flags = {}, plugins = [], visit }: BotOptions = {}): TestKernel {
  const report = definePlugin({
    name: 'report',
    captures: [{ kind: 'report' }],
    outputs: [{ type: 'report', from: 'report', contentType: 'application/json', extension: 'json' }],
    apply({ hooks }) {
      hooks.navigate.tapPromise('report', async (context) => {
        await visit?.(context);
        return visit && { by: 'report' };
      });
      hooks.capture
        .for('report')
        .tapPromise('report', ({ page }) => page.evaluateInMainWorld('Promise.resolve(window.report).then((report) => report ?? null)'));
      hooks.encode
        .for('report')
        .tapPromise('report', (capture) =>
          Promise.resolve({ contentType: 'application/json', extension: 'json', body: Buffer.from(JSON.stringify(capture)) }),
        );
    },
  });
  return createTestKernel({ plugins: [target, webBotAuth, report, ...plugins], flags: { ...flags } });
}

/** What the page at the URL reported. */
export async function reportOf(host: TestKernel, params: Readonly<Record<string, unknown>>): Promise<unknown> {
  const rendered = await host.render({ output_type: 'report', ...params });
  return JSON.parse((await rendered.bytes()).toString());
}
