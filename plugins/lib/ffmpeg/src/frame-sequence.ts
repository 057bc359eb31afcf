import type { Readable } from 'node:stream';

/** Properties of the video that an encoder needs; the capture kind `frames` provides all of them. Sizes in pixels. */
export interface FrameSequence {
  /** Of each frame. */
  readonly format: 'png' | 'jpeg';
  /** The stream is an IVF file of JPEG frames: each has its own time and size. */
  readonly container?: 'ivf';
  readonly width: number;
  readonly height: number;
  /** The frames have an alpha channel. */
  readonly transparent?: true;
  /** Size of the frames in the stream: they are cropped first, then scaled to `width` x `height`. */
  readonly sourceWidth: number;
  readonly sourceHeight: number;
  readonly crop?: { readonly x: number; readonly y: number; readonly width: number; readonly height: number };
  /** Frames per second, constant. Unused with a container. */
  readonly framerate: number;
  readonly frameCount: number;
  /** One Buffer a frame, in order. */
  readonly frames: Readable;
}

/** Reads the frames, checks that all of them arrived, and releases the browser that produced them. */
export async function* readFrames({ frames, frameCount }: FrameSequence, release: () => void): AsyncGenerator<Buffer, void> {
  let count = 0;
  for await (const frame of frames) {
    if (!Buffer.isBuffer(frame)) throw new TypeError('a frame must be a Buffer');
    count += 1;
    yield frame;
  }
  if (count !== frameCount) throw new Error(`received ${String(count)} of ${String(frameCount)} frames`);
  release();
}
