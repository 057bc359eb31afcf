import { existsSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';
import { expect, it } from 'vitest';
import { readPages, ROOT } from './pages.js';

interface Link {
  readonly page: string;
  readonly target: string;
  readonly anchor: string;
}

const PAGES = readPages();

/** Links and images within the repository. Code is no prose. */
function linksOf(page: string, text: string): readonly Link[] {
  const prose = text.replace(/^```[^]*?^```/gm, '').replace(/`[^`\n]*`/g, 'code');
  const targets = [...prose.matchAll(/\]\(([^)\s]+)\)|<img src="([^"]+)"/g)].map(([, link, image]) => link ?? image ?? '');
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [path = '', anchor = ''] = target.split('#');
      return { page, target: path === '' ? page : posix.normalize(posix.join(posix.dirname(page), path)), anchor };
    });
}

/** As GitHub and VitePress name headings. */
function anchorsOf(text: string): ReadonlySet<string> {
  const headings = [...text.replace(/^```[^]*?^```/gm, '').matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .toLowerCase()
        .replace(/[^\p{L}\p{N}\s_-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

const LINKS = [...PAGES].flatMap(([page, text]) => linksOf(page, text));

it('every link leads to a file of the repository', () => {
  expect(LINKS.length).toBeGreaterThan(300);
  expect(LINKS.filter(({ target }) => !existsSync(join(ROOT, target)))).toEqual([]);
});

it('every anchor is a heading of its page', () => {
  const anchored = LINKS.filter(({ anchor }) => anchor !== '');
  expect(anchored.length).toBeGreaterThan(30);
  expect(anchored.filter(({ target, anchor }) => !anchorsOf(PAGES.get(target) ?? '').has(anchor))).toEqual([]);
});

it('every page is reached from README within two clicks', () => {
  const follow = (pages: ReadonlySet<string>) =>
    new Set([...pages, ...LINKS.filter(({ page }) => pages.has(page)).map(({ target }) => target)]);
  const reached = follow(follow(new Set(['README.md'])));
  expect([...PAGES.keys()].filter((page) => !reached.has(page))).toEqual([]);
});

it('no link leads to a folder, which a site of these pages cannot show', () => {
  const folders = LINKS.filter(({ target }) => existsSync(join(ROOT, target)) && statSync(join(ROOT, target)).isDirectory());
  expect(folders.map(({ page, target }) => `${page}: ${target}`)).toEqual([]);
});
