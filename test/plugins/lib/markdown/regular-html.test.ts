import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { tests } from 'commonmark-spec';
import fc from 'fast-check';
import { serialize } from 'parse5';
import { describe, expect, it } from 'vitest';
import { type Node, parseAny } from '../../../../plugins/lib/markdown/src/read/html.js';
import { parseRegular } from '../../../../plugins/lib/markdown/src/read/regular-html.js';
import { blocksHtml } from './generated.js';

/** Everything that a reader uses of a node, without the parents, which are checked on the way. */
function describeNode(node: Node): unknown {
  if (!('tagName' in node)) return node;
  const { nodeName, tagName, attrs, namespaceURI, childNodes } = node;
  for (const child of childNodes) expect('parentNode' in child && child.parentNode).toBe(node);
  return { nodeName, tagName, attrs, namespaceURI, children: childNodes.map(describeNode) };
}

/** Whether the quick parser took it; its tree is then that of parse5. */
function isEqual(html: string): boolean {
  const quick = parseRegular(html);
  if (quick === undefined) return false;
  const whole = parseAny(html);
  const shape = (body: typeof quick) =>
    body.childNodes.map((node) => JSON.stringify(describeNode(node), (key, value: unknown) => (key === 'parentNode' ? undefined : value)));
  expect(shape(quick), html).toEqual(shape(whole));
  expect(serialize(quick)).toBe(serialize(whole));
  return true;
}

const REGULAR = [
  '',
  'words &amp; &lt;b&gt; &quot;more&quot;\u00a0',
  ' <p>one</p>\n<p>two <em>three <a href="https://x.org/?a=1&amp;b=2" title="a &quot;b&quot;">four</a></em><br>five</p><hr>',
  '<h1>One</h1><div><h2 id="x">Two</h2></div>',
  '<ul><li>one<ul><li><p>two</p></li></ul></li></ul><ol start="3"><li value="7">three</li></ol>',
  '<dl><div><dt>term</dt><dd>words<dl><dt>inner</dt><dd></dd></dl></dd></div></dl>',
  '<pre>\n\ncode\n  more</pre><pre><code class="language-js">\na</code></pre>',
  '<table> <caption>Name</caption><colgroup><col><col></colgroup><thead><tr><th colspan="2">a</th></tr></thead>\n<tbody><tr><td>b</td></tr></tbody></table>',
  '<table><tbody><tr><td><table><tbody><tr><td><p>nested</p></td></tr></tbody></table></td></tr></tbody></table>',
  '<blockquote><p>a</p></blockquote><details open=""><summary>b</summary>c</details><figure><img src="a.png" alt=""><figcaption>d</figcaption></figure>',
  '<b><p>block in emphasis</p></b><ruby>漢<rp>(</rp><rt>kan</rt></ruby><input type="checkbox"> <a href="x"><div>card</div></a>',
  '<i><i><i><i>deeper than formatting is repeated</i></i></i></i><p>end</p>',
];

const IRREGULAR = {
  'a tag that is not closed': '<div>a',
  'a tag that was not opened': 'a</div>',
  'tags that are closed in another order': '<b><i>a</b></i>',
  'a closing tag of a paragraph alone': '</p>',
  'a block in a paragraph': '<p>a<div>b</div></p>',
  'a paragraph in a paragraph': '<p>a<p>b</p></p>',
  'a block deep in a paragraph': '<p><span><ul></ul></span></p>',
  'a link in a link': '<a href="x">a<a href="y">b</a></a>',
  'an item in an item': '<li>a<li>b</li></li>',
  'a term in a definition': '<dd>a<div><dt>b</dt></div></dd>',
  'a heading in a heading': '<h1>a<h2>b</h2></h1>',
  'text in a table': '<table>a<tbody></tbody></table>',
  'a no-break space in a row': '<table><tbody><tr>\u00a0</tr></tbody></table>',
  'a block in a table': '<table><div>a</div></table>',
  'a row without a body': '<table><tr><td>a</td></tr></table>',
  'a cell without a row': '<td>a</td>',
  'a closed void element': 'a<br></br>',
  'a void element closed by a slash': 'a<br/>b',
  'an attribute twice': '<p id="a" id="b">c</p>',
  'an attribute without quotes': '<p id=a>b</p>',
  'a bracket in an attribute': '<p title="a>b">c</p>',
  'capital letters': '<P>a</P>',
  'a comment': 'a<!-- b -->',
  'another character reference': 'a&nbsp;b&#65;&copy',
  'an unfinished tag': 'a<b',
  'a bracket in text': 'a < b',
  'a carriage return': '<pre>a\r\nb</pre>',
  'a null character': 'a\0b',
  'a formula': '<math><mi>x</mi></math>',
  'a drawing': '<svg><title>a</title></svg>',
  'a template': '<template><p>a</p></template>',
  'a script': '<script>"<p>"</script>',
  'a select': '<select><option>a</option></select>',
  'a text area': '<textarea>\na</textarea>',
  'a form': '<form><form></form></form>',
  'a button': '<button><button></button></button>',
};

describe('HTML as the capture writes it', () => {
  it.each(REGULAR)('is read without parse5, with the same result: %s', (html) => {
    expect(isEqual(html)).toBe(true);
  });

  it.each(Object.entries(IRREGULAR))('is left to parse5 if it has %s', (_, html) => {
    expect(parseRegular(html)).toBeUndefined();
  });

  it('is the same in generated pages, all of which are read without parse5', () => {
    fc.assert(fc.property(blocksHtml, isEqual));
  });
});

const TAGS = `a b em span p div h1 h2 ul ol li dl dt dd table caption colgroup col thead tbody tr td th pre br hr img input ruby rt details summary button math select`;
const TOKENS = [
  ...TAGS.split(' ').flatMap((name) => [`<${name}>`, `<${name}>`, `</${name}>`]),
  ...[
    'text',
    ' ',
    '\n',
    '&amp;',
    '&lt;',
    '<a href="x">',
    '<p id="a">',
    '<table><tbody><tr><td>',
    '</td></tr></tbody></table>',
    '<ul><li>',
    '</li></ul>',
  ],
];

describe('any HTML', () => {
  it('is read as parse5 reads it, or left to it', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...TOKENS), { maxLength: 8 }), (tokens) => {
        isEqual(tokens.join(''));
      }),
      { numRuns: 20_000 },
    );
  });

  it('is so in properly closed nesting of elements that may not be nested', () => {
    const { tree } = fc.letrec<{ tree: string }>((tie) => ({
      tree: fc.oneof(
        { depthSize: 'medium', withCrossShrink: true },
        fc.constantFrom('text', ' ', '\n', '<br>', '<hr>', '<img src="x">'),
        fc
          .tuple(
            fc.constantFrom(...TAGS.split(' ').filter((name) => !/^(br|hr|img|input|col)$/.test(name))),
            fc.array(tie('tree'), { maxLength: 3 }),
          )
          .map(([name, parts]) => `<${name}>${parts.join('')}</${name}>`),
      ),
    }));
    fc.assert(
      fc.property(tree, (html) => {
        isEqual(html);
      }),
      { numRuns: 5_000 },
    );
  });

  it('is so in the examples of CommonMark and in saved articles', () => {
    const folder = join(import.meta.dirname, '../../../fixtures/articles');
    const pages = readdirSync(folder).filter((name) => name.endsWith('.html'));
    const bodies = pages.map((name) => /<body[^>]*>([^]*)<\/body>/.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? '');
    const examples = tests.map(({ html }) => html);
    expect(examples.filter(isEqual).length).toBeGreaterThan(examples.length / 2);
    for (const body of bodies) {
      isEqual(body);
      // Its normalized form has fewer errors.
      isEqual(serialize(parseAny(body)).replaceAll('&nbsp;', '\u00a0'));
    }
  });
});
