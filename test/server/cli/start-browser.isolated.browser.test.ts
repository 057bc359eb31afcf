import { PlatenError, silentLogger } from '@platen/kernel';
import { expect, it, vi } from 'vitest';
import { startBrowser } from '../../../server/src/cli/open-server.js';
import { createServerHooks } from '../../../server/src/service/hooks.js';

it.each([
  ['starts ahead of the first render', undefined, 1],
  ['is left to the first render', false, 0],
] as const)('a browser %s', (_, answer, times) => {
  const hooks = createServerHooks();
  hooks.startBrowser.tap('guest', () => answer);
  const start = vi.fn(() => Promise.resolve());
  startBrowser({ kernel: { start }, server: { hooks }, log: silentLogger, stop: new AbortController().signal });
  expect(start).toHaveBeenCalledTimes(times);
});

it.each([
  ['draining', 0],
  ['browser_unavailable', 1],
] as const)('a browser that does not start because of %s', async (code, times) => {
  const error = vi.fn();
  const start = vi.fn(() => Promise.reject(new PlatenError(code, 'no')));
  const log = { ...silentLogger, error };
  startBrowser({ kernel: { start }, server: { hooks: createServerHooks() }, log, stop: new AbortController().signal });
  await new Promise(setImmediate);
  expect(error).toHaveBeenCalledTimes(times);
});
