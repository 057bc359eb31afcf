import { describe, expect, it } from 'vitest';
import { readTime } from '../../../../plugins/page/freeze/src/read-time.js';

describe('a date and time', () => {
  it.each([
    ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00.000Z'],
    ['2024-02-29t23:59:59.123456z', '2024-02-29T23:59:59.123Z'],
    ['2025-06-01 12:00:00+05:30', '2025-06-01T06:30:00.000Z'],
    ['1969-07-20T20:17:40-04:00', '1969-07-21T00:17:40.000Z'],
  ])('%s is %s', (text, iso) => {
    expect(new Date(readTime(text) ?? Number.NaN).toISOString()).toBe(iso);
  });

  it.each([
    '2025-02-30T00:00:00Z',
    '2025-02-29T00:00:00Z',
    '2025-13-01T00:00:00Z',
    '2025-00-10T00:00:00Z',
    '2025-01-01T24:00:00Z',
    '2025-01-01T00:60:00Z',
    '2025-01-01T00:00:61Z',
    '2025-01-01T00:00:00+24:00',
    '2025-01-01T00:00:00+01:60',
  ])('%s is none', (text) => {
    expect(readTime(text)).toBeUndefined();
  });
});
