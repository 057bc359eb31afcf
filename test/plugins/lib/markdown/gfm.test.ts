import { describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';
import { fromCommonMark, fromGfm } from './parsers.js';

/** A page of every construct that GitHub Flavored Markdown has beside CommonMark, and what a parser of it has to make of each. */
const CONSTRUCTS: readonly (readonly [name: string, html: string, shown: RegExp])[] = [
  [
    'a table (GFM 4.10)',
    '<table><tr><th align="left">Name | alias</th><th style="text-align:right" align="right">n</th></tr><tr><td><b>Ada</b></td><td>1</td></tr></table>',
    /^<table>\s*<thead>\s*<tr>\s*<th align="left">Name \| alias<\/th>\s*<th align="right">n<\/th>\s*<\/tr>\s*<\/thead>\s*<tbody>\s*<tr>\s*<td align="left"><strong>Ada<\/strong><\/td>\s*<td align="right">1<\/td>\s*<\/tr>\s*<\/tbody>\s*<\/table>$/,
  ],
  [
    'strikethrough (GFM 6.5)',
    '<p>now <s>12 €</s> <strong><del>b</del></strong> 9 €</p>',
    /^<p>now <del>12 €<\/del> <strong><del>b<\/del><\/strong> 9 €<\/p>$/,
  ],
  [
    'task lists (GFM 5.3)',
    '<ul><li><input type="checkbox" checked> done</li><li><input type="checkbox"> open<ul><li><input type="checkbox" checked> in it</li></ul></li></ul>',
    /<input type="checkbox" disabled="" checked="" ?\/?> done<\/li>\s*<li><input type="checkbox" disabled="" ?\/?> open\s*<ul[^>]*>\s*<li><input type="checkbox" disabled="" checked="" ?\/?> in it/,
  ],
  [
    'bare addresses (GFM 6.9)',
    '<p>see <a href="https://x.org/a_b?c=1">https://x.org/a_b?c=1</a> or <a href="mailto:a@b.org">a@b.org</a>.</p>',
    /^<p>see <a href="https:\/\/x\.org\/a_b\?c=1">https:\/\/x\.org\/a_b\?c=1<\/a> or <a href="mailto:a@b\.org">a@b\.org<\/a>\.<\/p>$/,
  ],
];

describe('markdown_format gfm, read by a parser of GFM', () => {
  it.each(CONSTRUCTS)('%s', (_name, html, shown) => {
    expect(fromGfm(convert({ html, format: 'gfm' })).trim()).toMatch(shown);
  });

  it('a bare address has no brackets', () => {
    expect(convert({ html: '<a href="https://x.org/a">https://x.org/a</a>', format: 'gfm' })).toBe('https://x.org/a\n');
  });
});

describe('markdown_format common', () => {
  /** What only GFM makes of Markdown. Tags that stand in it are CommonMark. */
  const extended = (markdown: string) =>
    fromGfm(markdown)
      .replaceAll(/<\/?del>/g, '')
      .match(/<table|<input/g) ?? [];

  it.each(CONSTRUCTS)('no construct of GFM ever appears: %s', (_name, html) => {
    const markdown = convert({ html, format: 'common' });
    expect(extended(markdown)).toEqual([]);
    expect(markdown).not.toContain('~~');
    expect(fromGfm(markdown).replaceAll(/\s+/g, ' ')).toBe(fromCommonMark(markdown).replaceAll(/\s+/g, ' '));
  });

  it.each([
    ['a table', 'a | b<br>--|--<br>1 | 2'],
    ['strikethrough', '~~a~~ ~b~'],
    ['a task', '<ul><li>[ ] a</li><li>[x] b</li></ul>'],
    ['a bare address', 'www.x.org https://x.org/ http://x.org a@b.org'],
    ['a footnote', 'a[^1]<br>[^1]: b'],
  ])('a text that GFM would take for %s is none for its parsers either', (_name, html) => {
    for (const format of ['common', 'gfm'] as const) {
      const shown = fromGfm(convert({ html: `<div>${html}</div>`, format }));
      expect(shown).not.toMatch(/<(table|del|input|a|sup|section)\b/);
    }
  });
});
