import fc from 'fast-check';

/** What Markdown could take for its own, between what it could not. The dollars end no formula: those are meant to come back otherwise. */
const FRAGMENTS =
  `a b word 1 12 1. 2) - + * ** *** _ __ ~ ~~ ~~~ # ## ### = === --- \` \`\` \`\`\` [ ] ( ) [x] [a]: [a](b) ![ ! !! < > <b> <!-- <? </a> & &amp;
&copy; &#35; \\ \\\\ | || |-| --|-- :-: . : ; , ? $5 $A " ' “ ” « » 。 、 你好 漢字 ไทย עברית عربي é ñ 😀 👩‍👩‍👧 ½ € + www.x.org https://x.org/a_b?c=1 ftp://x.y a@b.org
snake_case 2*3*4 x^2 C:\\dir [^1] [!NOTE] http: www. @ mailto:a@b.c`.split(/\s+/);

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

const text = fc
  .array(fc.tuple(fc.constantFrom(...FRAGMENTS), fc.constantFrom('', '', ' ', '\n', '\u00a0')), { minLength: 1, maxLength: 6 })
  .chain((parts) => fc.constantFrom('', '', ' ').map((lead) => escapeHtml(lead + parts.flat().join(''))));

const address = fc.constantFrom(
  'https://x.org/',
  'https://x.org/a_(b)',
  'https://x.org/a)b',
  'https://x.org/?a=1&amp;copy=2',
  'https://x.org/a*b*c',
  '/a b',
  'mailto:a@b.org',
);

const wrap = (name: string) => (content: string) => `<${name}>${content}</${name}>`;

const { inline } = fc.letrec<{ inline: string; run: string }>((tie) => ({
  inline: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: text, weight: 4 },
    { arbitrary: fc.constant('<br>'), weight: 1 },
    { arbitrary: text.map((code) => `<code>${code.trim()}</code>`), weight: 1 },
    { arbitrary: fc.tuple(address, text).map(([src, alt]) => `<img src="${src}" alt="${alt}">`), weight: 1 },
    {
      arbitrary: fc.tuple(fc.constantFrom('em', 'strong', 'del', 'b', 'i'), tie('run')).map(([name, content]) => wrap(name)(content)),
      weight: 4,
    },
    { arbitrary: tie('run').map((content) => `<span>${content}</span>`), weight: 1 },
  ),
  run: fc.array(tie('inline'), { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
}));

const run = fc.array(inline, { minLength: 1, maxLength: 5 }).map((parts) => parts.join(''));
const links = fc.tuple(address, run).map(([href, content]) => `<a href="${href}">${content}</a>`);

/** Inline content, with links, which hold none themselves. */
export const inlineHtml = fc
  .array(fc.oneof({ arbitrary: run, weight: 4 }, { arbitrary: links, weight: 1 }), { minLength: 1, maxLength: 3 })
  .map((parts) => parts.join(''));

/** Pages of every kind of block but tables, nested. */
export const { blocks: blocksHtml } = fc.letrec<{ blocks: string; block: string }>((tie) => ({
  block: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    { arbitrary: inlineHtml.map(wrap('p')), weight: 4 },
    { arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), text).map(([level, content]) => wrap(`h${String(level)}`)(content)), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('', ' class="language-js"'), text)
        .map(([language, code]) => `<pre><code${language}>x${code}</code></pre>`),
      weight: 1,
    },
    { arbitrary: fc.constant('<hr>'), weight: 1 },
    { arbitrary: inlineHtml.map(wrap('div')), weight: 1 },
    { arbitrary: tie('blocks').map(wrap('blockquote')), weight: 1 },
    {
      arbitrary: fc
        .tuple(fc.constantFrom('ul', 'ol', 'ol start="3"'), fc.array(fc.oneof(inlineHtml, tie('blocks')), { minLength: 1, maxLength: 3 }))
        .map(([list, items]) => `<${list}>${items.map(wrap('li')).join('')}</${list.slice(0, 2)}>`),
      weight: 2,
    },
  ),
  blocks: fc.array(tie('block'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
}));

/** A table of that many rows and columns, with a header. */
export const tableHtml = fc
  .tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 2, max: 3 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(inlineHtml, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows }),
  )
  .map(
    ([head = [], ...rows]) =>
      `<table><thead><tr>${head.map(wrap('th')).join('')}</tr></thead><tbody>${rows.map((row) => `<tr>${row.map(wrap('td')).join('')}</tr>`).join('')}</tbody></table>`,
  );
