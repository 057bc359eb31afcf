import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { definePlugin, type Output } from '@platen/kernel';
import type { FramesCapture } from '@platen/plugin-frames';
import type { ScreenshotCapture } from '@platen/plugin-screenshot';

const CONTENT = { contentType: 'application/x-ndjson', extension: 'ndjson' };

/** Writes a film down as lines: what the capture says of itself, then every frame in base64. */
async function* writeVideo({ frames, ...said }: FramesCapture): AsyncGenerator<string, void> {
  yield `${JSON.stringify(said)}\n`;
  for await (const frame of frames) yield `${Buffer.from(frame as Buffer).toString('base64')}\n`;
}

function encodeVideo(capture: FramesCapture | ScreenshotCapture): Promise<Output> {
  if ('frames' in capture) return Promise.resolve({ ...CONTENT, body: Readable.from(writeVideo(capture), { highWaterMark: 16 }) });
  return Promise.resolve({ ...CONTENT, body: Buffer.from(`${JSON.stringify({ still: true })}\n`) });
}

/** As the shipped formats do: no answer before the film is whole. */
async function encodeWhole(capture: FramesCapture): Promise<Output> {
  return { ...CONTENT, body: await buffer(Readable.from(writeVideo(capture))) };
}

/** Output types that show what the capture kind `frames` makes: a video, an animated image, and one that may be still. */
export default definePlugin({
  name: 'test-film',
  requires: ['screenshot', 'frames'],
  outputs: [
    { type: 'test-video', from: 'frames', ...CONTENT, captureOptions: { recording: 'video', frameFormat: 'jpeg' } },
    { type: 'test-whole', from: 'frames', ...CONTENT, captureOptions: { recording: 'video', frameFormat: 'jpeg' } },
    {
      type: 'test-animation',
      from: 'frames',
      ...CONTENT,
      captureOptions: { recording: 'image', frameFormat: 'png', maxWidth: 4000, maxHeight: 4000 },
    },
    { type: 'test-either', from: ['screenshot', 'frames'], ...CONTENT, captureOptions: { recording: 'optional', frameFormat: 'png' } },
  ],
  apply({ hooks }) {
    hooks.encode.for('test-video').tapPromise('test-film', encodeVideo);
    hooks.encode.for('test-whole').tapPromise('test-film', encodeWhole);
    hooks.encode.for('test-animation').tapPromise('test-film', encodeVideo);
    hooks.encode.for('test-either').tapPromise('test-film', encodeVideo);
  },
});
