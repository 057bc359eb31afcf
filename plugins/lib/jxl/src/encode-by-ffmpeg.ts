import type { Readable } from 'node:stream';
import { DISTANCE, EFFORT, type EncodeOptions } from './jxl-settings.js';
import { runEncoder } from './run-encoder.js';

export function encodeByFfmpeg(png: Buffer | Readable, { signal, ffmpeg = 'ffmpeg' }: EncodeOptions): Promise<Buffer> {
  const input = ['-f', 'png_pipe', '-i', 'pipe:0', '-frames:v', '1'];
  const codec = ['-c:v', 'libjxl', '-distance', String(DISTANCE), '-effort', String(EFFORT)];
  const args = ['-v', 'error', '-threads', '1', ...input, ...codec, '-f', 'image2pipe', 'pipe:1'];
  return runEncoder({ program: ffmpeg, args, input: png, signal });
}
