import type { CaptureValue } from 'platen/kernel';
import { decodeRaster } from 'platen/raster';

export type PpmForm = 'binary' | 'plain';

/** Samples on one line of the plain form: Netpbm wants no line above 70 characters, and a sample takes four at most. */
const SAMPLES_PER_LINE = 15;

/** Writes a screenshot as a portable pixmap of 8-bit samples (Netpbm's ppm(5)). */
export async function encodePpm({ data }: CaptureValue<'screenshot'>, form: PpmForm, signal?: AbortSignal): Promise<Buffer> {
  const { width, height, data: samples } = await decodeRaster(data, signal === undefined ? {} : { signal });
  const header = `${form === 'plain' ? 'P3' : 'P6'}\n${String(width)} ${String(height)}\n255\n`;
  return Buffer.concat([Buffer.from(header), form === 'plain' ? plainSamples(samples) : samples]);
}

function plainSamples(samples: Buffer): Buffer {
  const lines: string[] = [];
  for (let at = 0; at < samples.length; at += SAMPLES_PER_LINE) lines.push(samples.subarray(at, at + SAMPLES_PER_LINE).join(' '));
  return Buffer.from(`${lines.join('\n')}\n`);
}
