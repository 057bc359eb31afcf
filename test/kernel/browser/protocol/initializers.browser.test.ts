import { definePlugin, silentLogger, type Logger } from '@platen/kernel';
import { expect, it } from 'vitest';
import type { TargetInitializer } from '../../../../kernel/src/browser/protocol/contract.js';
import { openProber } from '../../../plugins/page/probe.js';

/** As authors who write no TypeScript may have it. */
const configuring = (initializer: (target: Parameters<TargetInitializer>[0]) => unknown) =>
  definePlugin({
    name: 'configuring',
    apply({ hooks }) {
      hooks.beforeNavigate.tap('configuring', ({ page }) => {
        page.targets.configure(initializer as TargetInitializer);
      });
    },
  });

it.each<[string, (target: Parameters<TargetInitializer>[0]) => unknown, string]>([
  ['is async', () => Promise.resolve([]), 'a promise, as an async function does'],
  ['is async and rejects', () => Promise.reject(new Error('no')), 'a promise, as an async function does'],
  ['returns nothing', () => undefined, 'undefined'],
  ['returns other items beside promises', () => [Promise.reject(new Error('no')), 1], 'other items'],
])('an initializer that %s is told so, as the failure of its plugin', async (_name, initializer, what) => {
  await using prober = openProber({ plugins: [configuring(initializer)] });
  await expect(prober.probe({ url: 'data:text/html,x' })).rejects.toMatchObject({
    code: 'plugin_failed',
    plugin: 'configuring',
    hook: 'beforeNavigate',
    cause: new TypeError(`a target initializer must return an array of promises, but returned ${what}`),
  });
});

it('an initializer that is wrong for a worker is told so in the log, and the worker starts', async () => {
  const errors: object[] = [];
  const log: Logger = { ...silentLogger, child: () => log, error: (fields) => void errors.push(fields) };
  await using prober = openProber({ log, plugins: [configuring(({ kind }) => (kind === 'worker' ? undefined : []))] });
  const script = `const worker = new Worker(URL.createObjectURL(new Blob(['postMessage("started")'])));
    window.report = new Promise((resolve) => { worker.onmessage = ({ data }) => resolve(data); });`;
  const { report } = await prober.probe({ url: `data:text/html,<script>${encodeURIComponent(script)}</script>` });
  expect(report).toBe('started');
  expect(errors).toContainEqual(expect.objectContaining({ kind: 'worker', err: expect.any(TypeError) }));
});
