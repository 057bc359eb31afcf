import { describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';
import { fromCommonMark, fromGfm } from './parsers.js';

const FORMATS = ['common', 'gfm'] as const;

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

type Case = readonly [rule: string, text: string, markdown: string];

const FORMULAS: readonly Case[] = [
  ['an index', 'Let $a_b$ be', 'Let $a_b$ be'],
  ['an asterisk', '$a_1 * b$', '$a_1 * b$'],
  ['two formulas in one line', '$x_1$ and $x_2$', '$x_1$ and $x_2$'],
  ['a formula of one letter', 'for all $n$.', 'for all $n$.'],
  ['a comparison', '$a<b$ or $b < c$', '$`a<b`$ or $b < c$'],
  ['commands', String.raw`$\alpha + \frac{1}{2}$`, String.raw`$\alpha + \frac{1}{2}$`],
  ['what a parser would take for emphasis, kept by code', '$a*b*c$', '$`a*b*c`$'],
  ['what a parser would take for escapes, kept by code', String.raw`$\{x_i\}$`, String.raw`$${'`'}\{x_i\}${'`'}$`],
  ['a dollar within', String.raw`$x = \$5$`, String.raw`$${'`'}x = \$5${'`'}$`],
  ['round brackets with backslashes have dollars', String.raw`so \(x_1\) is`, 'so $x_1$ is'],
  ['lines in one', '$$\n  a_1 +\n  b_2 % why\n$$', '$$a_1 + b_2$$'],
  ['square brackets with backslashes have two', String.raw`\[ x_1 = \sum_i y_i \]`, String.raw`$$x_1 = \sum_i y_i$$`],
  ['by itself, what a parser would change is a listing', String.raw`$$\{x\}\,y$$`, '```math\n\\{x\\}\\,y\n```'],
  ['within a line two dollars stand as they are', 'thus $$x_1$$ holds', 'thus $$x_1$$ holds'],
  ['an environment by itself', String.raw`\begin{align*} a &= b \end{align*}`, String.raw`$$\begin{align*} a &= b \end{align*}$$`],
];

/** Not formulas: what a parser shows is the text of the page. */
const TEXTS: readonly string[] = [
  '$5 and $6_7',
  'from $5_000_ to *$6* each',
  'US$5_0 / CA$7_0',
  '$HOME/_a_ and $PATH/_b_',
  'restaurants: $$ or $$$, never *$$$$*',
  '$ a_b $',
  '$5 or 6 are prices, 7$ too',
  String.raw`sed -e s/\(a*b*\)/x/`,
  String.raw`grep \(foo\|bar\) and \([a-z]*\)`,
  String.raw`\[sic\] \(see there\)`,
  String.raw`C:\(new\) \$x_1\$`,
  '$$ is *two* dollars',
];

describe.each(FORMATS)('%s: TeX that stands in the text', (format) => {
  const write = (text: string) => convert({ html: `<p>${escapeHtml(text)}</p>`, format }).trimEnd();

  it.each(FORMULAS)('%s', (_rule, text, markdown) => {
    expect(write(text)).toBe(markdown);
  });

  it.each(TEXTS)('no formula, and so text: %s', (text) => {
    const shown = `<p>${escapeHtml(text).replaceAll('>', '&gt;')}</p>`;
    expect(fromCommonMark(write(text)).trim()).toBe(shown);
    expect(fromGfm(write(text)).trim()).toBe(shown);
  });

  it('is read by no parser as anything else than it is', () => {
    for (const [, text, markdown] of FORMULAS.filter(([, text]) => /^[^\\$]*\$[^$]*\$[^\\$]*$/.test(text))) {
      const code = markdown.includes('`');
      const shown = fromCommonMark(markdown).replaceAll(/<\/?(?:p|code)>/g, '');
      expect(shown.trim()).toBe(escapeHtml(text).replaceAll('>', '&gt;'));
      expect(fromCommonMark(markdown).includes('<code>')).toBe(code);
    }
  });

  it('in a link, a heading, a cell and the title', () => {
    expect(convert({ html: '<a href="/x">on $]0, x_1[$</a>', format })).toBe('[on $`]0, x_1[`$](/x)\n');
    expect(convert({ html: '<h2>The $x_i$ of $y_i$</h2>', format })).toBe('## The $x_i$ of $y_i$\n');
    expect(convert({ html: '<p>a</p>', title: String.raw`On \(x_i\)`, format })).toBe('# On $x_i$\n\na\n');
    const table = '<table><tr><th>a</th><th>b</th></tr><tr><td>$|x_1|$</td><td>$5</td></tr></table>';
    const cells = { common: '- **a:** $|x_1|$; **b:** $5\n', gfm: '| a | b |\n| --- | --- |\n| $`\\vert x_1\\vert `$ | $5 |\n' };
    expect(convert({ html: table, format })).toBe(cells[format]);
  });

  it('in code and listings it is code', () => {
    expect(convert({ html: '<p><code>\\(x_1\\)</code></p><pre>$$x_1$$</pre>', format })).toBe('`\\(x_1\\)`\n\n```\n$$x_1$$\n```\n');
  });

  it('many dollars take no longer than their length', () => {
    const html = `<p>${'\\(a '.repeat(20_000)}${'$a '.repeat(20_000)}</p>`;
    expect(convert({ html, format })).toHaveLength(20_000 * 8);
  });
});
