import { createTestKernel } from '@platen/kernel/testing';
import { describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../../../architecture/workspaces.js';

const host = createTestKernel({ plugins: await Promise.all(listPlugins().map(importPlugin)) });

function plan(params: Readonly<Record<string, unknown>>) {
  return host.kernel.plan(host.kernel.validate({ url: 'https://example.com/', ...params }, 'body'));
}

describe('with_output', () => {
  it('takes a single type, other names of a type, and null', () => {
    const names = (with_output: unknown) => plan({ with_output }).assets.map(({ name }) => name);
    expect(names('pdf')).toEqual(['pdf']);
    expect(names(['jxl'])).toEqual(['jpegxl']);
    expect(names(null)).toEqual([]);
  });

  it.each([
    ['webm', {}, 'cannot have "webm": use avif, axtree,'],
    ['nothing', {}, 'cannot have "nothing": use avif,'],
    ['png', {}, 'cannot have "png", which is the output itself'],
    [['pdf', 'pdf'], {}, 'has "pdf" twice'],
    [['jpegxl', 'jxl'], {}, 'has "jxl" twice'],
    ['har', { with_har: true }, 'cannot have "har" beside "with_har"'],
    ['axtree_json', { with_axtree: 'text' }, 'cannot have "axtree_json" beside "with_axtree"'],
    ['png', { output_type: 'webm' }, 'cannot be used with the output type "webm"'],
    ['png', { output_type: 'warc' }, 'cannot be used with the output type "warc"'],
    ['pdf', { output_type: 'webp', image_duration: 1 }, 'cannot be used with the output type "webp"'],
    [Array(9).fill('pdf'), {}, 'must be a list of at most 8 strings'],
    [7, {}, '"with_output[0]" must be a non-empty string'],
  ])('of %j with %j is refused', (with_output, others, message) => {
    expect(() => plan({ with_output, ...others })).toThrow(message);
  });

  it('lists what can be used, without the output itself', () => {
    expect(() => plan({ output_type: 'pdf', with_output: 'gif' })).toThrow(
      /: use avif, axtree, axtree_json, bmp, har, html, jpegxl, jpg, json, markdown, mhtml, png, tiff, txt, webp, each once/,
    );
  });

  it.each([
    ['png', ['axtree', 'txt', 'axtree_json'], ['axtree.txt', 'txt', 'axtree.json']],
    ['axtree', ['txt', 'axtree_json'], ['txt.txt', 'axtree.json']],
    ['txt', ['axtree', 'markdown'], ['axtree.txt', 'md']],
  ])('beside %s gives %j files of different names', (output_type, with_output, extensions) => {
    const { assets } = plan({ output_type, with_output });
    expect(assets.map(({ extension }) => extension).sort()).toEqual([...extensions].sort());
  });

  it('full_page is for the picture: refused only where there is none', () => {
    expect(plan({ full_page: true, with_output: ['pdf'] }).assets).toHaveLength(1);
    expect(plan({ full_page: true, output_type: 'pdf', with_output: ['png'] }).assets).toHaveLength(1);
    expect(() => plan({ full_page: true, output_type: 'pdf', with_output: ['txt'] })).toThrow('"full_page"');
  });

  it.each([
    [{ image_quality: 50, with_output: ['jpg', 'txt'] }, undefined],
    [{ image_quality: 50, with_output: ['pdf'] }, '"image_quality"'],
    [{ image_transparent: true, with_output: ['webp', 'pdf'] }, undefined],
    [{ image_transparent: true, with_output: ['jpg'] }, 'the output type "jpg" has no such setting'],
    [{ extract_metadata: true, output_type: 'png', with_output: ['json'] }, undefined],
    [{ output_type: 'png', with_output: ['json'] }, 'needs at least one of: extract'],
  ])('%j is judged by all its outputs', (params, message) => {
    if (message === undefined) expect(plan(params).assets.length).toBeGreaterThan(0);
    else expect(() => plan(params)).toThrow(message);
  });

  it('has an entry of its own in the cache', () => {
    expect(plan({ with_output: ['pdf'] }).cacheKey).not.toBe(plan({}).cacheKey);
  });
});
