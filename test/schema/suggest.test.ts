import { PassThrough } from 'node:stream';
import { suggest } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { boot } from '../../server/src/boot/boot.js';
import { installedCatalog } from '../../server/src/boot/catalog.js';

const io = { stdout: new PassThrough(), stderr: new PassThrough(), environment: {}, cwd: '/' };

/** What a request is told that has the key, over HTTP. */
async function detailOf(key: string, ...flags: readonly string[]): Promise<string> {
  const { createKernel } = await boot(['http://a.test', ...flags], io, installedCatalog);
  const kernel = createKernel();
  try {
    kernel.validate({ url: 'http://a.test', [key]: '1' }, 'body');
    return '';
  } catch (error) {
    return String(error);
  } finally {
    await kernel.close(0);
  }
}

describe('names that other tools use', () => {
  it.each([
    ['width', 'did you mean "browser_width"?'],
    ['viewportHeight', 'did you mean "browser_height"?'],
    ['viewport', 'did you mean "browser_width" or "browser_height"?'],
    ['format', 'did you mean "output_type" or "pdf_format"?'],
    ['type', 'did you mean "output_type"?'],
    ['jpeg', 'did you mean output_type=jpg?'],
    ['quality', 'did you mean "image_quality"?'],
    ['margin', 'did you mean "pdf_margin"?'],
    ['header_template', 'did you mean "pdf_header"?'],
    ['omitBackground', 'did you mean "image_transparent"?'],
    ['clip', 'did you mean "image_clip"?'],
    ['selector', 'did you mean "image_selector"?'],
    ['markup', 'did you mean "html"?'],
    ['html_base_url', 'give the base URL of "html" as "url"'],
    ['files', 'did you mean "upload"?'],
    ['fullpage', 'did you mean "full_page"?'],
    ['delay', 'did you mean "wait_after" or "wait_for"?'],
    ['block', 'did you mean "block_resource_type" or "block_url"?'],
    ['max_depth', 'did you mean "crawl_link_depth"?'],
    ['authorization', 'did you mean "header"?'],
    ['waitUntil', 'did you mean "wait_for"?'],
  ])('%s: %s', async (key, hint) => {
    expect(await detailOf(key)).toContain(hint);
  });

  it('are not answered with a key of a plugin that is not enabled', async () => {
    expect(await detailOf('width', '--disable-plugins', 'target')).toMatch(/unknown parameter "width"$/);
    expect(await detailOf('jpeg', '--disable-plugins', 'jpg')).toMatch(/unknown parameter "jpeg"$/);
  });

  it('are no keys or flags themselves', async () => {
    const { keys, flagSet } = await boot([], io, installedCatalog);
    const flags = [...flagSet].map(([name, { fragment }]) => [name, fragment] as const);
    const names = [...Object.keys(keys), ...flags.map(([name]) => name.replaceAll('-', '_'))];
    const synonyms = [...Object.entries(keys), ...flags].flatMap(([, fragment]) => Object.keys(fragment['x-synonyms'] ?? {}));
    expect(synonyms.length).toBeGreaterThan(40);
    expect(synonyms.filter((synonym) => names.includes(synonym))).toEqual([]);
  });

  it('are written as the caller writes keys', () => {
    const fragments = { wait_for: { 'x-synonyms': { delay: true } } } as const;
    expect(suggest('delay', { fragments, write: (key) => `--${key}` })).toBe('did you mean --wait_for?');
    expect(suggest('other', { fragments })).toBeUndefined();
  });
});
