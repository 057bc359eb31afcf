import { PlatenError, type ServerApi } from '@platen/kernel';
import { describe, expect, it, vi } from 'vitest';
import { serving, useServers } from '../test-server.js';

const start = useServers();

describe('a tap that fails to apply its values', () => {
  it('is named, and those before and after it have applied theirs', async () => {
    const taken: string[] = [];
    const server = await start({
      plugins: [
        serving(({ hooks }) => {
          hooks.reload.tap('before', (_, commit) => {
            commit(() => taken.push('before'));
          });
          hooks.reload.tap('broken', (_, commit) => {
            commit(() => {
              throw new TypeError('boom');
            });
          });
          hooks.reload.tap('behind', (_, commit) => {
            commit(() => taken.push('behind'));
          });
        }),
      ],
    });
    const failures = await server.server.reload({});
    expect(taken).toEqual(['before', 'behind']);
    expect(failures).toEqual([expect.any(PlatenError)]);
    expect(failures[0]).toMatchObject({ code: 'plugin_failed', plugin: 'broken', hook: 'reload', cause: { message: 'boom' } });
    await expect((await start({})).server.reload({})).resolves.toEqual([]);
  });
});

describe('a reload that is given up', () => {
  it('changes nothing, also where its taps find their values to hold later', async () => {
    const asked = new AbortController();
    const taken = vi.fn();
    let goOn = (): void => undefined;
    let left: Promise<void> = Promise.resolve();
    const server = await start({
      plugins: [
        serving(({ hooks }) => {
          hooks.reload.tapPromise('slow', (_, commit) => {
            left = new Promise<void>((resolve) => (goOn = resolve)).then(() => {
              commit(taken);
            });
            asked.abort(new Error('enough'));
            return left;
          });
        }),
      ],
    });
    await expect(server.server.reload({}, asked.signal)).rejects.toThrow('enough');
    goOn();
    await left;
    expect(taken).not.toHaveBeenCalled();
  });
});

describe('isGiven', () => {
  it('goes by what is in force: after a reload, but for flags that take a restart and secrets that their owners keep', async () => {
    const text = { type: 'string', description: 'Any.' } as const;
    let isGiven: ServerApi['isGiven'] = () => false;
    const server = await start({
      plugins: [
        {
          ...serving((api) => {
            isGiven = (flag) => api.isGiven(flag);
          }),
          flags: {
            soft: { ...text, 'x-reloads': true },
            hidden: { ...text, 'x-reloads': true, 'x-secret': true },
            late: text,
          },
        },
      ],
      flags: { late: 'a' },
    });
    const given = () => ['soft', 'hidden', 'late'].filter((flag) => isGiven(flag));
    expect(given()).toEqual(['late']);
    await server.server.reload({ soft: 'a', hidden: 'b' });
    expect(given()).toEqual(['soft', 'hidden', 'late']);
    await server.server.reload({});
    expect(given()).toEqual(['hidden', 'late']);
  });

  it('stays where a tap refuses the reload', async () => {
    let isGiven: ServerApi['isGiven'] = () => false;
    const server = await start({
      plugins: [
        {
          ...serving((api) => {
            isGiven = (flag) => api.isGiven(flag);
            api.hooks.reload.tap('guest', () => {
              throw new Error('no');
            });
          }),
          flags: { soft: { type: 'string', description: 'Any.', 'x-reloads': true } },
        },
      ],
    });
    await expect(server.server.reload({ soft: 'a' })).rejects.toThrow('"guest" failed');
    expect(isGiven('soft')).toBe(false);
  });
});
