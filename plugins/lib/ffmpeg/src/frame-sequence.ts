import type { Readable } from 'node:stream';

/** What an encoder needs to know of a film; the capture kind `frames` gives all of it. Sizes in pixels. */
export interface FrameSequence {
  /** Of each frame. */
  readonly format: 'png' | 'jpeg';
  readonly width: number;
  readonly height: number;
  /** Of the frames in the stream: they are cropped first, then scaled to `width` x `height`. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  readonly crop?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Frames per second, constant. */
  readonly framerate: number;
  readonly frameCount: number;
  /** One Buffer a frame, in order. */
  readonly frames: Readable;
}

/** Reads the frames, sees that all of them came, and says that the browser that made them is needed no longer. */
export async function* readFrames({ frames, frameCount }: FrameSequence, release: () => void): AsyncGenerator<Buffer, void> {
  let count = 0;
  for await (const frame of frames) {
    if (!Buffer.isBuffer(frame)) throw new TypeError('a frame must be a Buffer');
    count += 1;
    yield frame;
  }
  if (count !== frameCount) throw new Error(`${String(count)} of ${String(frameCount)} frames came`);
  release();
}
