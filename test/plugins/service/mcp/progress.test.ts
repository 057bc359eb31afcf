import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createProgress, type ProgressNote } from '../../../../plugins/service/mcp/src/progress.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const notes: ProgressNote[] = [];
  return { notes, progress: createProgress((note) => notes.push(note)) };
}

const walk = (done: number, queued: number, more = {}) => ({ done, queued, failed: 0, bytes: 0, url: 'http://a.test/', ...more });

it('names phases by words, each once, at most two a second', () => {
  const { notes, progress } = open();
  for (const phase of ['open', 'open', 'beforeNavigate', 'navigate', 'wait']) progress.phase(phase);
  expect(notes).toEqual([{ progress: 1, message: 'queued' }]);
  vi.advanceTimersByTime(499);
  expect(notes).toHaveLength(1);
  vi.advanceTimersByTime(1);
  expect(notes[1]).toEqual({ progress: 2, message: 'waiting' });
  // A retry, and phases that the list does not have.
  for (const phase of ['open', 'navigate', 'wait', 'paint']) progress.phase(phase);
  vi.advanceTimersByTime(5000);
  for (const phase of ['capture', 'additionalAssets', 'capture']) progress.phase(phase);
  expect(notes.slice(2)).toEqual([{ progress: 3, message: 'capturing' }]);
});

it('counts pages and steps, and always increases', () => {
  const { notes, progress } = open();
  const steps = [walk(0, 1), walk(5, 9), walk(5, 20), walk(6, 0), walk(1, 9, { unit: 'step' })];
  for (const each of steps) {
    vi.advanceTimersByTime(500);
    progress.pages(each);
  }
  expect(notes).toEqual([
    { progress: 1, message: 'queued' },
    { progress: 2, message: '0 pages done, 1 queued, 0 failed' },
    { progress: 5, total: 14, message: '5 pages done, 9 queued, 0 failed' },
    { progress: 6, total: 25, message: '5 pages done, 20 queued, 0 failed' },
    { progress: 7, message: '6 pages done, 0 queued, 0 failed' },
    { progress: 8, total: 10, message: 'step 1 of 10' },
  ]);
});

it('says nothing once it is disposed of', () => {
  const { notes, progress } = open();
  progress.phase('open');
  progress[Symbol.dispose]();
  progress.phase('wait');
  vi.advanceTimersByTime(10_000);
  expect(notes).toHaveLength(1);
  expect(vi.getTimerCount()).toBe(0);
});
