import { tests } from 'commonmark-spec';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { convert } from '../../../../plugins/lib/markdown/src/convert.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { meaning, standAlone } from '../../lib/markdown/meaning.js';
import { fromCommonMark, fromGfm } from '../../lib/markdown/parsers.js';
import { openMarkdownHost, type MarkdownHost } from './render.js';

interface Example {
  readonly number: number;
  readonly section: string;
  readonly html: string;
}

const EXAMPLES: readonly Example[] = tests;

const BLANK_CODE = 'a code span of blanks shows nothing';
const LAYOUT = 'a table of one cell is there for its looks';

/** The examples that do not come back with the same meaning, each with its reason. One more, or one less, fails. */
const DIFFERENT: Readonly<Record<number, string>> = {
  138: BLANK_CODE,
  148: LAYOUT,
  149: LAYOUT,
  160: LAYOUT,
  190: LAYOUT,
  334: BLANK_CODE,
};

/** What a browser shows otherwise than it is written. */
const DIFFERENT_IN_A_BROWSER: Readonly<Record<number, string>> = {
  171: 'what stands in a text field has no emphasis and keeps its lines',
  ...Object.fromEntries([175, 281, 282, 315].map((number) => [number, 'an item without content is not captured'])),
};

const BASE = 'https://example.test/folder/';

function differing(format: 'common' | 'gfm', parse: (markdown: string) => string): readonly number[] {
  const differs = ({ html }: Example) => JSON.stringify(meaning(html)) !== JSON.stringify(meaning(parse(convert({ html, format }))));
  return EXAMPLES.filter(differs).map(({ number }) => number);
}

describe('the examples of the CommonMark specification', () => {
  const known = Object.keys(DIFFERENT).map(Number);

  it('are all there', () => {
    expect(EXAMPLES).toHaveLength(652);
  });

  it('come back from CommonMark with the same meaning', () => {
    expect(differing('common', fromCommonMark)).toEqual(known);
    expect(1 - known.length / EXAMPLES.length).toBeGreaterThan(0.95);
  });

  it('come back from GFM with the same meaning', () => {
    expect(differing('gfm', fromGfm)).toEqual(known);
  });

  it('mean the same to a parser of GFM where they are plain CommonMark', () => {
    expect(differing('common', fromGfm)).toEqual(known);
  });
});

describe('the examples as parts of real pages', () => {
  let site: Site;
  let host: MarkdownHost;
  const sections = [...new Set(EXAMPLES.map(({ section }) => section))];
  const path = (section: string) => `/${section.replaceAll(' ', '-')}`;
  const examplesOf = (section: string) => EXAMPLES.filter((example) => example.section === section);

  beforeAll(async () => {
    const pages = sections.map((section) => {
      const parts = examplesOf(section).map(({ number, html }) => `<h6>example ${String(number)}</h6><div>${standAlone(html, BASE)}</div>`);
      return [path(section), `<!doctype html><meta charset="utf-8"><title>x</title>${parts.join('')}`];
    });
    site = await openSite(Object.fromEntries(pages));
    host = openMarkdownHost();
  });

  afterAll(async () => {
    await host[Symbol.asyncDispose]();
    await site[Symbol.asyncDispose]();
  });

  it.each(sections)('%s: what the browser shows comes back with the same meaning', async (section) => {
    const markdown = await host.render({ url: site.url(path(section)), markdown_no_title: true });
    const seen = fromCommonMark(markdown)
      .split(/<h6>example (\d+)<\/h6>/)
      .slice(1);
    const found = new Map(examplesOf(section).map((_, at) => [Number(seen[2 * at]), seen[2 * at + 1] ?? '']));
    const wrong = examplesOf(section).filter(
      ({ number, html }) => JSON.stringify(meaning(standAlone(html, BASE))) !== JSON.stringify(meaning(found.get(number) ?? '<p>lost')),
    );
    const known = Object.keys({ ...DIFFERENT, ...DIFFERENT_IN_A_BROWSER }).map(Number);
    const expected = examplesOf(section).filter(({ number }) => known.includes(number));
    expect(wrong.map(({ number }) => number)).toEqual(expected.map(({ number }) => number));
  });
});
