import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import pixels from '@platen/plugin-pixels';
import { describe, expect, it } from 'vitest';
import { readCaptureOptions } from '../../../../plugins/capture/pixels/src/pixel-capture.js';

const manifest: unknown = JSON.parse(await readFile(new URL('../../../../plugins/capture/pixels/package.json', import.meta.url), 'utf8'));

describe('pixels', () => {
  for (const check of pluginContract({ plugin: pixels, manifest })) it(check.name, check.run);
});

describe('readCaptureOptions', () => {
  it('takes what an output may ask', () => {
    expect(readCaptureOptions(undefined)).toEqual({});
    expect(readCaptureOptions({ native: 'jpeg', quality: 80, maxWidth: 10 })).toEqual({ native: 'jpeg', quality: 80, maxWidth: 10 });
  });

  it.each([
    [{ native: 'gif' }, 'native'],
    [{ quality: 101 }, 'quality'],
    [{ quality: '80' }, 'quality'],
    [{ maxWidth: 0 }, 'maxWidth'],
    [{ maxHeight: NaN }, 'maxHeight'],
  ])('names the wrong member of %j', (options, member) => {
    expect(() => readCaptureOptions(options)).toThrow(`captureOptions.${member}`);
  });
});
