import { expect, it } from 'vitest';
import { parseRules } from '../../../../plugins/output/extract/src/rule.js';

const deep = (levels: number): object => ({ a: levels === 1 ? 'p' : { selector: 'p', fields: deep(levels - 1) } });

it('nests five levels', () => {
  expect(parseRules(deep(5))).toBeDefined();
});

it('reads the JSON text of a query', () => {
  expect(parseRules('{"title": "h1"}')).toEqual({ title: { place: 'extract.title', selector: 'h1' } });
});

it.each([
  [deep(6), '"extract.a.fields.a.fields.a.fields.a.fields.a.fields" is nested too deeply: at most 5 levels'],
  ['h1', '"extract" must be an object, or its JSON text: {"title": "h1"}'],
  ['["h1"]', '"extract" must be an object, or its JSON text: {"title": "h1"}'],
  [{}, '"extract" is empty: it needs a name with a CSS selector'],
  [{ a: '' }, '"extract.a" must be a CSS selector, or an object with "selector"'],
  [{ a: ['p'] }, '"extract.a" must be a CSS selector, or an object with "selector"'],
  [{ a: { all: true } }, '"extract.a" needs "selector"'],
  [{ a: { selector: 'p', list: true } }, '"extract.a" must not have "list": valid are selector, attribute, type, all, required, fields'],
  [
    { a: { selector: 'p', constructor: 1 } },
    '"extract.a" must not have "constructor": valid are selector, attribute, type, all, required, fields',
  ],
  [{ a: { selector: 'p', type: 'date' } }, '"extract.a.type" must be one of: text, html, markdown, number, url'],
  [{ a: { selector: 'p', all: 'yes' } }, '"extract.a.all" must be true or false'],
  [{ a: { selector: 'p', attribute: 'id', type: 'html' } }, '"extract.a.type" must be text, number or url beside "attribute"'],
  [{ a: { selector: 'p', type: 'text', fields: { b: 'a' } } }, '"extract.a.fields" cannot be combined with "type": each field has its own'],
  [{ a: { selector: 'p', fields: { b: { selector: 3 } } } }, '"extract.a.fields.b.selector" must be a CSS selector'],
  [{ a: { selector: 'p', fields: {} } }, '"extract.a.fields" is empty: it needs a name with a CSS selector'],
  [Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`a${String(at)}`, 'p'])), '"extract" has more than 1000 names'],
])('refuses %j and names the place', (value, detail) => {
  expect(() => parseRules(value)).toThrow(detail);
});
