import { describe, expect, it } from 'vitest';
import { readMoment, toDigits } from '../../../../plugins/page/replay/src/moment.js';

describe('a moment', () => {
  it.each([
    ['20240501100000', '2024-05-01T10:00:00Z'],
    ['20240229235959', '2024-02-29T23:59:59Z'],
    ['00500101000000', '0050-01-01T00:00:00Z'],
    ['2024-05-01T10:00:00Z', '2024-05-01T10:00:00Z'],
    ['2024-05-01T12:00:00+02:00', '2024-05-01T10:00:00Z'],
  ])('%s is read', (text, moment) => {
    expect(readMoment(text)).toBe(Date.parse(moment));
    expect(toDigits(Date.parse(moment))).toBe(moment.replace(/\D/g, ''));
  });

  it.each([
    ...['20230229000000', '20240431000000', '20241301000000', '20240001000000', '20240501240000', '20240501106000', '20240501100061'],
    ...['2024', '202405011000', '2024-05-01T10:00:00', '2024-02-30T10:00:00Z', ' 20240501100000', 'now', ''],
  ])('%j is refused', (text) => {
    expect(readMoment(text)).toBeUndefined();
  });
});
