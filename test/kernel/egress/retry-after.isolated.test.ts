import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readRetryAfter } from '../../../kernel/src/index.js';

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-01-01T00:00:00.500Z') }));
afterEach(() => vi.useRealTimers());

it.each([
  ['120', 120],
  [' 0 ', 0],
  ['99999999999999999999', 2 ** 31],
  ['Thu, 01 Jan 2026 00:00:10 GMT', 10],
  ['Thu, 01 Jan 2015 00:00:10 GMT', 0],
  ['soon', undefined],
  ['-5 seconds', undefined],
  ['', undefined],
  [undefined, undefined],
])('Retry-After %j is %j seconds', (text, seconds) => {
  expect(readRetryAfter(text)).toBe(seconds);
});
