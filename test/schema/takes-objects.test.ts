import { takesObjects, type Fragment } from '@platen/schema';
import { expect, it } from 'vitest';

const text: Fragment = { type: 'string' };
const cases: readonly (readonly [string, Fragment, boolean])[] = [
  ['a text', text, false],
  ['an enumeration', { enum: ['a', 1] }, false],
  ['a list of texts', { type: 'array', items: text }, false],
  ['an object', { type: 'object', additionalProperties: text }, true],
  ['an object or a boolean', { type: ['boolean', 'object'] }, true],
  ['a list of objects or texts', { type: 'array', items: { anyOf: [{ type: 'object' }, text] } }, true],
  ['a list of anything', { type: 'array' }, true],
  ['an object among others', { anyOf: [text, { type: 'object' }] }, true],
  ['anything', { description: 'Any value.' }, true],
];

it.each(cases)('%s', (_, fragment, expected) => {
  expect(takesObjects(fragment)).toBe(expected);
});
