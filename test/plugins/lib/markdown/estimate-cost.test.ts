import { expect, it } from 'vitest';
import { estimateCost, MOST_AT_ONCE } from '../../../../plugins/lib/markdown/src/convert-html.js';

const PARAGRAPH = '<p>Some words in a paragraph with a <a href="/x">link</a> and <b>bold</b> text, which go on for a while.</p>';

it('an article costs about as much as it is long', () => {
  const article = PARAGRAPH.repeat(250);
  expect(estimateCost(article) / article.length).toBeGreaterThan(0.7);
  expect(estimateCost(article) / article.length).toBeLessThan(1.2);
});

it.each([
  ['many cells', `<table>${`<tr>${'<td>x</td>'.repeat(10)}</tr>`.repeat(200)}</table>`],
  ['deep quotations', `${'<blockquote>'.repeat(90)}${'<p>y</p>'.repeat(600)}${'</blockquote>'.repeat(90)}`],
  ['deep lists', `${'<ul><li>x'.repeat(90)}${'<li>y</li>'.repeat(600)}${'</li></ul>'.repeat(90)}`],
])('%s are no short page, however short they are', (_name, html) => {
  expect(html.length).toBeLessThan(MOST_AT_ONCE);
  expect(estimateCost(html)).toBeGreaterThan(MOST_AT_ONCE);
});

it('what was closed costs nothing further on', () => {
  const lists = `<ul><li>x</li></ul>`.repeat(100);
  expect(estimateCost(lists + PARAGRAPH)).toBe(estimateCost(lists) + estimateCost(PARAGRAPH));
});
