import { readFile } from 'node:fs/promises';
import { pluginContract } from '@platen/kernel/testing';
import pixels from '@platen/plugin-screenshot';
import { describe, expect, it } from 'vitest';
import { readCaptureOptions } from '../../../../plugins/capture/screenshot/src/screenshot-capture.js';

const manifest: unknown = JSON.parse(
  await readFile(new URL('../../../../plugins/capture/screenshot/package.json', import.meta.url), 'utf8'),
);

describe('screenshot', () => {
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
