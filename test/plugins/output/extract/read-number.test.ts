import { expect, it } from 'vitest';
import { readNumber } from '../../../../plugins/output/extract/src/in-page/read-number.js';

it.each([
  ['1,299.50', 1299.5],
  ['$1,299.50', 1299.5],
  ['1.299,50 €', 1299.5],
  ['1\u00a0299,50\u00a0€', 1299.5],
  ["CHF 1'299.50", 1299.5],
  ['1,299', 1299],
  ['1.299', 1.299],
  ['12,5 %', 12.5],
  ['0,125', 0.125],
  ['1,234,567', 1_234_567],
  ['1.234.567', 1_234_567],
  ['.5', 0.5],
  ['-5', -5],
  ['\u22125.5', -5.5],
  ['-$5', -5],
  ['model X-5', 5],
  ['pages 10-20', 10],
  ['It costs 5.', 5],
  ['3\u00a02', 3],
  ['4.5 of 5 stars', 4.5],
  ['007', 7],
  ['none', null],
  ['', null],
])('reads %j as %j', (text, number) => {
  expect(readNumber(text)).toBe(number);
});
