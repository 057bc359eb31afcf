import { createTestKernel } from '@platen/kernel/testing';
import { describe, expect, it } from 'vitest';
import dom from '../../../../plugins/capture/dom/src/index.js';
import txt from '../../../../plugins/output/txt/src/index.js';
import robots from '../../../../plugins/page/robots/src/index.js';
import upload from '../../../../plugins/page/upload/src/index.js';

const { kernel } = createTestKernel({ plugins: [dom, txt, robots, upload] });
const plan = (params: Readonly<Record<string, unknown>>) => kernel.plan(kernel.validate({ output_type: 'txt', ...params }, 'body'));
const files = { 'index.html': 'data:,x', 'docs/a#b ü.html': 'data:,y' };

describe('the URL of the document', () => {
  it.each([
    ['of HTML alone', { html: 'x' }, 'https://upload.invalid/'],
    ['of empty HTML', { html: '' }, 'https://upload.invalid/'],
    ['of files', { upload: files }, 'https://upload.invalid/index.html'],
    ['null, which unsets it', { upload: files, url: null }, 'https://upload.invalid/index.html'],
    ['of HTML with files', { html: 'x', upload: files }, 'https://upload.invalid/'],
    ['a path among the files', { upload: files, url: 'docs/a#b ü.html' }, 'https://upload.invalid/docs/a%23b%20%C3%BC.html'],
    [
      'a path that looks like a scheme',
      { upload: { 'notes:today.html': 'data:,x' }, url: 'notes:today.html' },
      'https://upload.invalid/notes%3Atoday.html',
    ],
    ['a path with a query and a fragment', { upload: files, url: 'index.html?a=1#b' }, 'https://upload.invalid/index.html?a=1#b'],
    ['as given', { upload: files, url: 'https://upload.invalid/' }, 'https://upload.invalid/'],
    ['of HTML at a site', { html: 'x', url: 'http://site.test/a#b' }, 'http://site.test/a#b'],
    ['of HTML at a site, with files', { html: 'x', upload: files, url: 'http://site.test/' }, 'http://site.test/'],
  ])('%s', (_, params, url) => {
    expect(plan(params).url).toBe(url);
    // A job, and a worker of a cluster, validates the parameters again.
    expect(plan(plan(params).params).cacheKey).toBe(plan(params).cacheKey);
  });

  it('is required without documents', () => {
    expect(() => plan({})).toThrow('"url" is required');
    expect(() => plan({ html: null, upload: null })).toThrow('"url" is required');
    expect(kernel.schema.document.required).toEqual(['url']);
  });
});

it('has a cache key for each content', () => {
  expect(plan({ html: 'x' }).cacheKey).not.toBe(plan({ html: 'y' }).cacheKey);
});

const REFUSED: readonly (readonly [params: Readonly<Record<string, unknown>>, detail: string])[] = [
  [{ html: 'x', url: 'data:,x' }, '"url" must be an http or https URL, at which "html" is shown'],
  [{ html: 'x', url: 'a' }, '"url" needs a scheme: https://a/'],
  // Nothing is said of the URL that valid documents would imply.
  [{ html: 1 }, '"html" must be a string (got a number)'],
  [
    { upload: { 'a.html': 'data:,a' } },
    '"upload" has no "index.html", the default of "url": "url" must be one of the uploaded files: "a.html"',
  ],
  [{ upload: files, url: 'none.html' }, '"url" must be one of the uploaded files: "index.html", "docs/a#b ü.html"'],
  [{ upload: files, url: 'http://site.test/' }, '"url" must be one of the uploaded files'],
  [{ upload: files, url: 'data:,x' }, '"url" must be one of the uploaded files'],
  [{ upload: files, url: '//site.test/index.html' }, '"url" must be an absolute'],
  [{ upload: {} }, '"upload" has none'],
  [{ upload: { a: 'data:,', b: 'data:,', c: 'data:,', d: 'data:,', e: 'data:,', f: 'data:,' } }, '"a", "b", "c", "d", "e" and 1 more'],
  [{ upload: 'x', url: 'x' }, '"upload" must be an object of data: URLs by relative path'],
  [{ upload: { 'index.html': 'x' } }, '"upload.index.html" must be a data: URL'],
  [{ upload: { 'index.html': 'data:text/html' } }, '"upload.index.html" must be a data: URL'],
  [{ upload: { 'index.html': 'data:;base64,$$$' } }, 'the base64 data of "index.html" is invalid'],
  [{ upload: { 'index.html': 'data:;base64,YQ%%%' } }, 'the base64 data of "index.html" is invalid'],
  ...['', '/a', 'a/', 'a//b', '..', '../a', 'a/../b', './a', 'a\\b', 'a\0', 'a'.repeat(1025)].map(
    (path) => [{ upload: { ...files, [path]: 'data:,' } }, '"upload" must have relative paths as its names'] as const,
  ),
];

it.each(REFUSED)('refuses %j', (params, detail) => {
  expect(() => plan(params)).toThrow(detail);
  expect(() => plan(params)).not.toThrow('more)');
});

it.each(['html', 'upload'])('refuses "%s" in a query string', (key) => {
  expect(() => kernel.validate({ url: 'http://site.test/', [key]: 'x' }, 'query')).toThrow(
    `"${key}" is accepted in a JSON or multipart body`,
  );
});
