import { once } from 'node:events';
import { PlatenError, silentLogger, type Logger } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { watchFlags, type FlagWatch } from '../../../server/src/cli/watch-flags.js';
import { createServerHooks, type FlagValues } from '../../../server/src/service/hooks.js';
import { reload } from '../../../server/src/service/reload.js';

type Take = (values: FlagValues, signal?: AbortSignal) => Promise<readonly PlatenError[]>;

/** The watch over a server that takes values as it is told. */
function open(take: Take, read: () => Promise<FlagValues> = () => Promise.resolve({})) {
  const told: string[] = [];
  const log: Logger = {
    ...silentLogger,
    info: (_, text) => told.push(text),
    error: (fields, text) => told.push(`${text} (${JSON.stringify(fields)})`),
    child: () => log,
  };
  const rereadFlags = vi.fn(read);
  const watch = watchFlags({ flags: {}, flagSet: new Map(), flagFiles: [], rereadFlags, log }, { reload: take });
  watches.push(watch);
  return { watch, told, rereadFlags };
}

const watches: FlagWatch[] = [];
const never = () => new Promise<never>(() => undefined);

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  for (const watch of watches.splice(0)) watch[Symbol.dispose]();
  vi.useRealTimers();
});

describe('a hangup while the configuration is read', () => {
  it('has it read once more afterwards, as it is then, however many there were', async () => {
    const held = new AbortController();
    const takes = vi.fn<Take>(async () => {
      if (takes.mock.calls.length === 1) await once(held.signal, 'abort');
      return [];
    });
    let version = 0;
    const { watch, told } = open(takes, () => Promise.resolve({ version }));
    watch.reload();
    await vi.advanceTimersByTimeAsync(0);
    for (version = 1; version < 100; version++) watch.reload();
    held.abort();
    await vi.advanceTimersByTimeAsync(0);
    expect(takes.mock.calls.map(([values]) => values)).toEqual([{ version: 0 }, { version: 100 }]);
    expect(told).toHaveLength(2);
    watch.reload();
    await vi.advanceTimersByTimeAsync(0);
    expect(takes).toHaveBeenCalledTimes(3);
  });
});

describe('a reload that hangs', () => {
  const expectFollower = async ({ watch, told }: Pick<ReturnType<typeof open>, 'watch' | 'told'>) => {
    watch.reload();
    await vi.advanceTimersByTimeAsync(59_000);
    watch.reload();
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(told).toEqual([
      expect.stringMatching(/could not be reloaded: the previous one stays active .*it took longer than 60 seconds/),
      'the configuration was reloaded',
    ]);
  };

  it('in a file is given up and told, and the next one goes through', async () => {
    const opened = open(() => Promise.resolve([]));
    opened.rereadFlags.mockImplementationOnce(never);
    await expectFollower(opened);
  });

  it('in a plugin is given up and told, and the next one goes through', async () => {
    const hooks = createServerHooks();
    hooks.reload.tapPromise('slow', vi.fn(() => Promise.resolve()).mockImplementationOnce(never));
    await expectFollower(open((values, signal) => reload(hooks, values, { signal, given: { follow: () => undefined } })));
  });

  it('is left without a word where the server stops', async () => {
    const { watch, told } = open(never);
    watch.reload();
    await vi.advanceTimersByTimeAsync(0);
    watch[Symbol.dispose]();
    await vi.advanceTimersByTimeAsync(100_000);
    expect(told).toEqual([]);
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a plugin that fails to apply its values is logged, and not that the former ones stay', async () => {
  const failure = new PlatenError('plugin_failed', 'no', { plugin: 'broken', hook: 'reload' });
  const { watch, told } = open(() => Promise.resolve([failure]));
  watch.reload();
  await vi.advanceTimersByTimeAsync(0);
  expect(told).toEqual([expect.stringMatching(/^a plugin failed to apply the new configuration.*"plugin":"broken"/)]);
});
