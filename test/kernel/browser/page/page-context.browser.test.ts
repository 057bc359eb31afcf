import { expect, test, vi } from 'vitest';
import { DEFAULT_PROFILE } from '../../../../kernel/src/browser/emulation/device-profile.js';
import { browserFor, findBrowsers } from '../../../../kernel/src/browser/process/executable.js';
import { BrowserInstance } from '../../../../kernel/src/browser/pool/browser-instance.js';
import { launchBrowser } from '../../../../kernel/src/browser/process/launch.js';
import type { BrowserProcess } from '../../../../kernel/src/browser/process/browser-process.js';
import type { ClosableSession } from '../../../../kernel/src/browser/protocol/protocol-session.js';
import { createEgress } from '../../../../kernel/src/egress/index.js';
import { silentLogger } from '../../../../kernel/src/logger.js';

type Dispose = (browserContextId: string) => Promise<unknown>;

/** A browser whose disposing of contexts is played by the test. */
async function openHost(play: (root: ClosableSession) => Dispose) {
  const browser = browserFor(await findBrowsers(), 'shell');
  if (browser === undefined) throw new Error('there is no browser');
  const { signal } = new AbortController();
  const process = await launchBrowser({ browser, noSandbox: false, switches: [], signal, log: silentLogger });
  const dispose = play(process.root);
  const send = (method: string, params?: { readonly browserContextId: string }, options?: object) =>
    method === 'Target.disposeBrowserContext' && params !== undefined
      ? dispose(params.browserContextId)
      : process.root.send(method as never, params as never, options);
  const root = new Proxy(process.root, { get: (target, name) => (name === 'send' ? send : Reflect.get(target, name)) as unknown });
  const played = new Proxy<BrowserProcess>(process, {
    get: (target, name) => (name === 'root' ? root : Reflect.get(target, name)) as unknown,
  });
  const egress = createEgress();
  const error = vi.fn();
  const log = { ...silentLogger, error };
  const host = new BrowserInstance({
    process: played,
    egress,
    log,
    warm: 0,
    mayWarm: () => true,
    beginFrames: false,
    failed: () => undefined,
    idleMs: undefined,
    onIdle: () => undefined,
  });
  return {
    ...{ host, error },
    async [Symbol.asyncDispose]() {
      await host.close();
      await egress[Symbol.asyncDispose]();
    },
  };
}

test('a context that the browser has disposed of already is closed: nothing is wrong with the browser', async () => {
  await using opened = await openHost((root) => async (browserContextId) => {
    await root.send('Target.disposeBrowserContext', { browserContextId });
    await root.send('Target.disposeBrowserContext', { browserContextId });
  });
  await opened.host.give(await opened.host.take(DEFAULT_PROFILE));
  expect(opened.error.mock.calls).toEqual([]);
  expect(opened.host.usable).toBe(true);
});

test('a browser that does not dispose of a context takes no more renders, and that is told of', async () => {
  await using opened = await openHost(() => () => Promise.reject(new Error('no')));
  await opened.host.give(await opened.host.take(DEFAULT_PROFILE));
  expect(opened.error).toHaveBeenCalledTimes(1);
  expect(opened.host.usable).toBe(false);
});

test('what a browser that is being closed does not do is not told of', async () => {
  let closing: Promise<void> | undefined;
  await using opened = await openHost(() => () => {
    closing = opened.host.close();
    return Promise.reject(new Error('no'));
  });
  await opened.host.give(await opened.host.take(DEFAULT_PROFILE));
  await closing;
  expect(opened.error.mock.calls).toEqual([]);
});
