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
    expect(text()).toBe('\r\u001b[K3 pages, 6 queued, 1 failed, 1.3 MB\n');
  });

  it('of a navigator is a line for each step', () => {
    const { progress, text } = open(false);
    const step = { unit: 'step', done: 1, queued: 9, failed: 0, bytes: 0, url: 'http://a.test/' } as const;
    progress.pages({ ...step, note: '1. click e1 (link "A\u009b") -> ok' });
    progress.pages({ ...step, done: 2, queued: 8, note: '2. done' });
    progress[Symbol.dispose]();
    expect(text()).toBe('step 1 of 10: 1. click e1 (link "A ") -> ok\nstep 2 of 10: 2. done\nstep 2 of 10\n');
  });

  it.each([true, false])('ends with what failed, and with the limit that was reached (terminal: %s)', (isTTY) => {
    const { progress, text } = open(isTTY);
    const paths = Array.from({ length: 7 }, (_none, at) => `http://a.test/${String(at)}`);
    progress.pages(AT);
    for (const [at, url] of paths.entries())
      progress.pages({ ...AT, failed: at + 1, url, failure: 'status\n\u001b[31m500; "fail=false" renders it anyway' });
    progress.pages({ ...AT, failed: 7, stopReason: 'crawl_max_links' });
    text();
    progress[Symbol.dispose]();
    const failures = paths.slice(0, 5).map((url) => `  ${url}: status [31m500\n`);
    expect(text().replace('\r\u001b[K', '')).toBe(
      `3 pages, 6 queued, 7 failed, 1.3 MB; stopped by crawl_max_links\n${failures.join('')}  and 2 more\n`,
    );
  });

  it('of a render without a walk leaves nothing', () => {
    const { progress, text } = open(false);
    progress.phase('navigate');
    progress[Symbol.dispose]();
    expect(text()).toBe('');
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
