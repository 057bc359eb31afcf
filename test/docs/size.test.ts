import { expect, it } from 'vitest';
import { readPages } from './pages.js';

const PAGES = readPages();
/** Pages that nobody writes by hand, or that only grow. */
const NOT_COUNTED = /^CHANGELOG\.md$|^server\/docs\/reference\//;

const countWords = (text: string): number => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const countLines = (text: string): number => text.trimEnd().split('\n').length;

it('all pages written by hand have at most 35,000 words', () => {
  const words = [...PAGES].filter(([file]) => !NOT_COUNTED.test(file)).map(([, text]) => countWords(text));
  expect(words.length).toBeGreaterThan(90);
  expect(words.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(35_000);
});

it('README is read in less than two minutes: at most 400 words', () => {
  expect(countWords(PAGES.get('README.md') ?? '')).toBeGreaterThan(100);
  expect(countWords(PAGES.get('README.md') ?? '')).toBeLessThanOrEqual(400);
});

it("a plugin's README has at most 40 lines, and links to the page of its task", () => {
  const readmes = [...PAGES].filter(([file]) => /^plugins\/.+\/README\.md$/.test(file));
  expect(readmes.length).toBeGreaterThan(50);
  expect(readmes.filter(([, text]) => countLines(text) > 40).map(([file]) => file)).toEqual([]);
  expect(readmes.filter(([, text]) => !text.includes('/server/docs/')).map(([file]) => file)).toEqual([]);
});

it('the template for plugins, which is the tutorial, has at most 120 lines', () => {
  expect(countLines(PAGES.get('plugin-template/README.md') ?? '')).toBeLessThanOrEqual(120);
});
