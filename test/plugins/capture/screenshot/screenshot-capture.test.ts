import { describe, expect, it } from 'vitest';
import { readCaptureOptions } from '../../../../plugins/capture/screenshot/src/screenshot-capture.js';

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
