import { createTestKernel } from '@platen/kernel/testing';
import jpegxl from '@platen/plugin-jpegxl';
import pixels from '@platen/plugin-screenshot';
import { PlatenError } from '@platen/kernel';
import { afterAll, describe, expect, it } from 'vitest';
import { createJpegxlOutput } from '../../../plugins/output/jpegxl/src/index.js';
import { dataUrl } from '../capture/pictures.js';

const host = createTestKernel({ plugins: [pixels, jpegxl] });
afterAll(() => host[Symbol.asyncDispose]());
const url = dataUrl('<body style="background:#c81e1e">');

it('is rendered for "jxl" too, which is normalised before anything else sees it', async () => {
  const params = host.kernel.validate({ url, output_type: 'jxl' }, 'body');
  expect(params.output_type).toBe('jpegxl');
  expect(host.kernel.plan(params).cacheKey).toBe(host.kernel.plan(host.kernel.validate({ url, output_type: 'jpegxl' }, 'body')).cacheKey);
  const { output } = await host.render({ url, output_type: 'jxl' });
  expect(output).toMatchObject({ contentType: 'image/jxl', extension: 'jxl' });
});

it('is published as "jpegxl" only', () => {
  expect(host.kernel.schema.document.properties['output_type']).toMatchObject({ enum: ['jpegxl'] });
});

describe('a failure of the encoder', () => {
  const capture = { format: 'png' as const, data: Buffer.alloc(0), width: 1, height: 1 };
  const context = (signal = new AbortController().signal) =>
    ({ signal, get: () => undefined }) as unknown as Parameters<ReturnType<typeof createJpegxlOutput>>[1];
  const failing = (error: Error) => createJpegxlOutput({ encode: () => Promise.reject(error) });

  it.each([
    Object.assign(new Error('write'), { code: 'ENOSPC' }),
    Object.assign(new Error('cjxl'), { stderr: Buffer.from('No space left on device') }),
  ])('says that the disk is full, where it is: %s', async (error) => {
    await expect(failing(error)(capture, context())).rejects.toMatchObject({
      code: 'encode_failed',
      message: expect.stringMatching(/the disk .* is full/),
    });
  });

  it('is encode_failed', async () => {
    await expect(failing(new Error('broken'))(capture, context())).rejects.toMatchObject({ code: 'encode_failed', status: 500 });
  });

  it('keeps the code that it has', async () => {
    const missing = new PlatenError('feature_unavailable', 'none is there');
    await expect(failing(missing)(capture, context())).rejects.toBe(missing);
  });

  it('gives way to the reason why nobody waits any more', async () => {
    const left = AbortSignal.abort(new Error('client left'));
    await expect(failing(new Error('killed'))(capture, context(left))).rejects.toThrow('client left');
  });
});
