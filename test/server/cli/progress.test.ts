import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { showProgress } from '../../../server/src/cli/progress.js';

const AT = { done: 3, queued: 6, failed: 1, bytes: 1_250_000, url: 'http://a.test/b' };

afterEach(() => {
  vi.useRealTimers();
});

function open(isTTY: boolean) {
  const stderr = Object.assign(new PassThrough(), { isTTY });
  const progress = showProgress({ stderr, stdout: new PassThrough(), environment: {}, cwd: '/' });
  const text = () => String(stderr.read() ?? '');
  return { progress, text };
}

describe('the progress of a walk', () => {
  it('is a bar with counts on a terminal, on one line that is cleared', () => {
    vi.useFakeTimers();
    const { progress, text } = open(true);
    progress.phase('write');
    progress.pages(AT);
    expect(text()).toContain('[########............] 3 pages, 6 queued, 1 failed, 1.3 MB');
    progress[Symbol.dispose]();
    expect(text()).toBe('\r\u001b[K');
  });

  it('is a line every five seconds without a terminal, and the last state', () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    const { progress, text } = open(false);
    progress.phase('navigate');
    progress.pages(AT);
    progress.pages({ ...AT, done: 4 });
    vi.advanceTimersByTime(5000);
    progress.pages({ ...AT, done: 5 });
    progress.pages({ ...AT, done: 6 });
    progress[Symbol.dispose]();
    expect(text()).toBe(
      '3 pages, 6 queued, 1 failed, 1.3 MB: http://a.test/b\n5 pages, 6 queued, 1 failed, 1.3 MB: http://a.test/b\n6 pages, 6 queued, 1 failed, 1.3 MB\n',
    );
  });
});
