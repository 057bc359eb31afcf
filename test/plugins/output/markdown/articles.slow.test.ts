import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { meaning } from '../../lib/markdown/meaning.js';
import { fromCommonMark, fromGfm } from '../../lib/markdown/parsers.js';
import { openMarkdownHost, type MarkdownHost } from './render.js';

const FOLDER = join(import.meta.dirname, '../../../fixtures/articles');
const ARTICLES = readdirSync(FOLDER)
  .filter((name) => name.endsWith('.html'))
  .map((name) => basename(name, '.html'));

let site: Site;
let host: MarkdownHost;

beforeAll(async () => {
  site = await openSite({
    ...Object.fromEntries(ARTICLES.map((name) => [`/${name}`, readFileSync(join(FOLDER, `${name}.html`), 'utf8')])),
    ...Object.fromEntries(['logo.png', 'bridge.jpg', 'ada.jpg', 'shoe.jpg', 'tal.jpg', 'one.jpg'].map((name) => [`/${name}`, picture()])),
  });
  host = openMarkdownHost();
});

afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

function picture() {
  const body = '<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="300" height="200" fill="teal"/></svg>';
  return { headers: { 'content-type': 'image/svg+xml' }, body };
}

/** As if the site had a name. */
async function renderArticle(name: string, format: string): Promise<string> {
  const markdown = await host.render({ url: site.url(`/${name}`), markdown_format: format });
  return markdown.replaceAll(site.url('').replace(/\/$/, ''), 'https://site.test');
}

describe.each(ARTICLES)('the article %s', (name) => {
  it('is the CommonMark that is kept beside it, and says the same to a parser of GFM', async () => {
    const markdown = await renderArticle(name, 'common');
    await expect(markdown).toMatchFileSnapshot(join(FOLDER, `${name}.common.md`));
    expect(meaning(fromGfm(markdown))).toEqual(meaning(fromCommonMark(markdown)));
  });

  it('is the GFM that is kept beside it', async () => {
    const markdown = await renderArticle(name, 'gfm');
    await expect(markdown).toMatchFileSnapshot(join(FOLDER, `${name}.gfm.md`));
  });

  it('has its title once, no script, no style, no relative address and nothing but one blank line between blocks', async () => {
    const markdown = await renderArticle(name, 'common');
    expect(markdown).toMatch(/^#? ?\S/);
    expect(fromCommonMark(markdown).match(/<h1>/g)).toHaveLength(1);
    expect(markdown).not.toMatch(/window\.|document\.|position:absolute|\]\((?!https?:|mailto:|tel:|data:|<https?:)/);
    expect(markdown).not.toMatch(/[ \t]$/m);
    expect(markdown.replace(/^ *(`{3,})[^]*?^ *\1$/gm, 'code')).not.toMatch(/\n{3}/);
    expect(markdown).toMatch(/\S\n$/);
  });
});
