import type { Plugin } from '@platen/kernel';
import axtree from '@platen/plugin-axtree';
import html from '@platen/plugin-html';
import jpegxl from '@platen/plugin-jpegxl';
import jpg from '@platen/plugin-image/jpg';
import mhtml from '@platen/plugin-mhtml';
import mkv from '@platen/plugin-video/mkv';
import png from '@platen/plugin-png';
import pprof from '@platen/plugin-pprof';
import trace from '@platen/plugin-trace';
import tiff from '@platen/plugin-image/tiff';
import { describe, expect, it } from 'vitest';
import { extensionWarning, outputTypeOf } from '../../../server/src/boot/output-type.js';
import { UsageError } from '../../../server/src/flags/usage-error.js';

const plugins: readonly Plugin[] = [png, jpg, tiff, jpegxl, mkv, trace, pprof, html, mhtml];
const outputs = plugins.flatMap((plugin) => plugin.outputs ?? []);

/** Two kinds of JSON: of `.json` alone one has to choose. */
const withTrees = [
  ...outputs,
  ...(axtree.outputs ?? []),
  { type: 'tree', from: 'tree', contentType: 'application/json', extension: 'json' },
];

describe('the ending of a file says its output type', () => {
  it.each([
    ['page.png', 'png'],
    ['page.PNG', 'png'],
    ['folder.d/page.jpg', 'jpg'],
    ['page.jpeg', 'jpg'],
    ['page.tiff', 'tiff'],
    ['page.tif', 'tiff'],
    ['page.html', 'html'],
    ['page.htm', 'html'],
    ['page.mht', 'mhtml'],
    ['page.jxl', 'jpegxl'],
    ['page.jpegxl', 'jpegxl'],
    ['page.mkv', 'mkv'],
    ['page.trace.json.gz', 'trace'],
    ['page.json.gz', 'trace'],
    ['folder.d/my.page.cpu.pb.gz', 'pprof_cpu'],
    ['page.memory.pb.gz', 'pprof_memory'],
    ['page.json.gz.png', 'png'],
    ['page.trace.json', 'trace'],
    ['page.cpu.pb', 'pprof_cpu'],
    ['page.memory.pb', 'pprof_memory'],
    ['my.page.axtree.json', 'axtree_json'],
  ])('%s is %s', (file, type) => {
    expect(outputTypeOf(file, withTrees)).toBe(type);
  });

  it('or several, of which one has to choose', () => {
    expect(() => outputTypeOf('page.pb.gz', outputs)).toThrow('".pb.gz" may be pprof_cpu or pprof_memory');
    expect(() => outputTypeOf('page.json', withTrees)).toThrow('".json" may be axtree_json or tree');
    expect(() => outputTypeOf('page.gz', outputs)).toThrow('".gz" may be trace or pprof_cpu or pprof_memory');
  });

  it('or nothing, which is an error that names the known ones', () => {
    expect(() => outputTypeOf('page.xyz', outputs)).toThrow('no enabled plugin creates ".xyz" files');
    expect(() => outputTypeOf('page', outputs)).toThrow('has no extension');
    expect(() => outputTypeOf('.png', outputs)).toThrow('has no extension');
  });
});

it('of a file without a known ending the hint names all endings, types among them, and what keeps any file', () => {
  const anything = { type: 'download', from: 'download', contentType: 'application/octet-stream', extension: 'bin' };
  const tree = { type: 'tree', from: 'tree', contentType: 'application/json', extension: 'json' };
  const hint = (declared: typeof outputs) => {
    try {
      return outputTypeOf('page.csv', declared);
    } catch (error) {
      return error instanceof UsageError ? error.hint : undefined;
    }
  };
  expect(hint([tree])).toBe('known extensions: json, tree; or choose with --output-type');
  expect(hint([tree, anything])).toBe(
    'known extensions: bin, download, json, tree; or choose with --output-type (download: the file as the site sent it)',
  );
});

describe('an extension that does not match the content of the file', () => {
  const PNG = { contentType: 'image/png', extension: 'png' };
  const JSON_FILE = { contentType: 'application/json', extension: 'json' };
  const TRACE = { type: 'trace', from: 'trace', contentType: 'application/gzip', extension: 'json.gz' };
  const DOWNLOAD = { type: 'download', from: 'download', contentType: 'application/octet-stream', extension: 'bin' };
  const declared = [...outputs, TRACE, DOWNLOAD, { type: 'tree', from: 'tree', ...JSON_FILE }];

  it('is worth a note that names both', () => {
    expect(extensionWarning({ file: 'page.JPEG', type: 'png', output: PNG }, declared)).toBe(
      'page.JPEG contains png, but its extension means jpg',
    );
  });

  it.each([
    ['page.png', 'png', PNG],
    ['page', 'png', PNG],
    ['page.data', 'png', PNG],
    ['page.bin', 'png', PNG],
    ['page.tif', 'tiff', { contentType: 'image/tiff', extension: 'tiff' }],
    ['page.json', 'trace', JSON_FILE],
    ['page.png', 'download', PNG],
    ['-', 'png', PNG],
  ])('%s with %s is none', (file, type, output) => {
    expect(extensionWarning({ file, type, output }, declared)).toBeUndefined();
  });
});
