import type { Plugin } from '@platen/kernel';
import jpegxl from '@platen/plugin-jpegxl';
import jpg from '@platen/plugin-jpg';
import mkv from '@platen/plugin-mkv';
import png from '@platen/plugin-png';
import tiff from '@platen/plugin-tiff';
import { describe, expect, it } from 'vitest';
import { outputTypeOf } from '../../../server/src/cli/output-type.js';

const plugins: readonly Plugin[] = [png, jpg, tiff, jpegxl, mkv];
const outputs = plugins.flatMap((plugin) => plugin.outputs ?? []);

describe('the ending of a file says its output type', () => {
  it.each([
    ['page.png', 'png'],
    ['page.PNG', 'png'],
    ['folder.d/page.jpg', 'jpg'],
    ['page.jpeg', 'jpg'],
    ['page.tiff', 'tiff'],
    ['page.tif', 'tiff'],
    ['page.jxl', 'jpegxl'],
    ['page.jpegxl', 'jpegxl'],
    ['page.mkv', 'mkv'],
  ])('%s is %s', (file, type) => {
    expect(outputTypeOf(file, outputs)).toBe(type);
  });

  it('or nothing, which is an error that names the known ones', () => {
    expect(() => outputTypeOf('page.xyz', outputs)).toThrow('no enabled plugin makes ".xyz" files');
    expect(() => outputTypeOf('page', outputs)).toThrow('has no ending');
  });
});
