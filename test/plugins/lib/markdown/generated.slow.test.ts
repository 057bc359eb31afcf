import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';
import { blocksHtml, inlineHtml, tableHtml } from './generated.js';
import { meaning } from './meaning.js';
import { fromCommonMark, fromGfm } from './parsers.js';

const RUNS = { numRuns: 200, seed: 20_260_704 };

/** The parser of GFM has its own idea of which lists are loose. */
function apartFromSpacing(html: string): string {
  return JSON.stringify(meaning(html)).replace(/"(tight|loose)"/g, '""');
}

const paragraph = inlineHtml.map((content) => `<p>${content}</p>`);

describe.each([
  ['a paragraph', paragraph],
  ['a page', blocksHtml],
])('of generated HTML, %s', (_name, pages) => {
  it('in common comes back with the same meaning from a parser of CommonMark', () => {
    fc.assert(
      fc.property(pages, (html) => {
        expect(meaning(fromCommonMark(convert({ html, format: 'common' })))).toEqual(meaning(html));
      }),
      RUNS,
    );
  });

  it('in common has nothing that a parser of GFM takes for its own', () => {
    fc.assert(
      fc.property(pages, (html) => {
        expect(apartFromSpacing(fromGfm(convert({ html, format: 'common' })))).toBe(apartFromSpacing(html));
      }),
      RUNS,
    );
  });

  it('in gfm comes back with the same meaning from a parser of GFM', () => {
    fc.assert(
      fc.property(pages, (html) => {
        expect(apartFromSpacing(fromGfm(convert({ html, format: 'gfm' })))).toBe(apartFromSpacing(html));
      }),
      RUNS,
    );
  });
});

it('a generated table comes back from GFM with every cell', () => {
  fc.assert(
    fc.property(tableHtml, (html) => {
      expect(meaning(fromGfm(convert({ html, format: 'gfm' })))).toEqual(meaning(html));
    }),
    RUNS,
  );
});
