import type { Page } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { withHangTimeout } from '../../../../plugins/capture/frames/src/hang-timeout.js';

/** A look a second, each at once after the one before. */
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] });
  vi.setTimerTickMode('nextTimerAsync');
});
afterEach(() => vi.useRealTimers());

/** A page whose thread gets so large a share of a processor. */
function createPage(share: number, onSend: (method: string, times: number) => void = () => undefined) {
  const sent: string[] = [];
  const send = (method: string) => {
    sent.push(method);
    onSend(method, sent.length);
    return Promise.resolve({ metrics: [{ name: 'ThreadTime', value: (performance.now() / 1000) * share }] });
  };
  // The one method that is used, with the answers that matter.
  return {
    page: { send } as unknown as Pick<Page, 'send'>,
    hangTimeoutMs: () => undefined,
    ended: () => sent.filter((method) => method === 'Runtime.terminateExecution').length,
  };
}

describe('withHangTimeout', () => {
  it('waits for a page that gets little of a busy machine, and ends none of its scripts', async () => {
    let resolve: (value: string) => void = () => undefined;
    const { ended, ...page } = createPage(0.05, (_method, times) => {
      if (times === 45) resolve('drawn');
    });
    const work = new Promise<string>((settle) => (resolve = settle));
    expect(await withHangTimeout(page, work)).toBe('drawn');
    expect(ended()).toBe(0);
  });

  it('ends a script that has had three seconds of a processor', async () => {
    let resolve: (value: string) => void = () => undefined;
    const { ended, ...page } = createPage(0.5, (method) => {
      if (method === 'Runtime.terminateExecution') resolve('let go');
    });
    const started = performance.now();
    expect(await withHangTimeout(page, new Promise<string>((settle) => (resolve = settle)))).toBe('let go');
    expect(ended()).toBe(1);
    expect(performance.now() - started).toBeGreaterThanOrEqual(6_000);
  });

  it('gives up a page that goes on spinning', async () => {
    const { ended, ...page } = createPage(1);
    await expect(withHangTimeout(page, new Promise(() => undefined))).rejects.toMatchObject({ code: 'render_timeout' });
    expect(ended()).toBe(2);
  });

  it('gives up a page that does nothing for a minute', async () => {
    const { ended, ...page } = createPage(0);
    await expect(withHangTimeout(page, new Promise(() => undefined))).rejects.toMatchObject({ code: 'render_timeout' });
    expect(ended()).toBe(0);
  });

  it('ends no script of a page that can be filmed once more', async () => {
    const { ended, ...page } = createPage(1);
    await expect(withHangTimeout({ ...page, hangTimeoutMs: () => 30_000 }, new Promise(() => undefined))).rejects.toThrow(
      'a script does not yield',
    );
    expect(ended()).toBe(0);
  });

  it('ends a script that has spun for so long that a second take would come too late', async () => {
    let resolve: (value: string) => void = () => undefined;
    const { ended, ...page } = createPage(0.1, (method) => {
      if (method === 'Runtime.terminateExecution') resolve('let go');
    });
    const left = () => (performance.now() < 20_000 ? 40_000 : undefined);
    expect(await withHangTimeout({ ...page, hangTimeoutMs: left }, new Promise<string>((settle) => (resolve = settle)))).toBe('let go');
    expect(ended()).toBe(1);
  });

  it('gives up a page that does nothing as soon as its patience is over, even one that says nothing', async () => {
    const { page } = createPage(0, (_method, times) => {
      if (times > 2) throw new Error('no answer');
    });
    const started = performance.now();
    await expect(withHangTimeout({ page, hangTimeoutMs: () => 9_000 }, new Promise(() => undefined))).rejects.toThrow(
      'the page makes no progress',
    );
    expect(performance.now() - started).toBe(10_000);
  });

  it('passes on how the work failed', async () => {
    await expect(withHangTimeout(createPage(1), Promise.reject(new Error('crashed')))).rejects.toThrow('crashed');
  });
});
