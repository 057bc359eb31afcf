import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createClock, type EncodeContext, type EncodedOutput } from '@platen/kernel';
import type { FrameSequence } from '@platen/lib-ffmpeg';
import { createFfmpegSource, FFMPEG, type FfmpegSource } from '@platen/lib-ffmpeg-host';
import sharp from 'sharp';
import type { DecodedVideo } from './decode-film.js';

/** Four fields of known colours, and below them a white block on black whose place tells the frame's number. */
export const FIELDS = [
  [200, 30, 30],
  [30, 200, 30],
  [30, 30, 200],
  [128, 128, 128],
] as const;

const BLOCK = 16;

export interface VideoOptions extends Partial<Pick<FrameSequence, 'format' | 'framerate' | 'frameCount' | 'crop'>> {
  /** Of the frames in the stream: at least 128 x 64. */
  readonly sourceWidth?: number;
  readonly sourceHeight?: number;
  /** Of the film. */
  readonly width?: number;
  readonly height?: number;
  /** Pictures that differ; the last stays. */
  readonly moves?: number;
  /** The first frame's number. */
  readonly first?: number;
}

/** A film as the capture kind `frames` gives it. */
export async function makeVideo(options: VideoOptions = {}): Promise<FrameSequence & { readonly method: 'live' }> {
  const { format = 'png', framerate = 5, frameCount = 8, sourceWidth = 256, sourceHeight = 128, crop } = options;
  const { moves = frameCount, first = 0 } = options;
  const pictures = await Promise.all(
    Array.from({ length: moves }, (_, at) => drawFrame({ index: first + at, format, sourceWidth, sourceHeight })),
  );
  const frames = Array.from({ length: frameCount }, (_, index) => pictures[Math.min(index, moves - 1)]);
  const { width = crop?.width ?? sourceWidth, height = crop?.height ?? sourceHeight } = options;
  return {
    ...{ format, framerate, frameCount, sourceWidth, sourceHeight, width, height, method: 'live' },
    ...(crop === undefined ? {} : { crop }),
    frames: Readable.from(frames),
  };
}

interface Drawing {
  readonly index: number;
  readonly format: 'png' | 'jpeg';
  readonly sourceWidth: number;
  readonly sourceHeight: number;
}

function drawFrame({ index, format, sourceWidth: width, sourceHeight: height }: Drawing): Promise<Buffer> {
  const half = height / 2;
  const fields = FIELDS.map(
    ([r, g, b], at) =>
      `<rect x="${String((at * width) / 4)}" width="${String(width / 4)}" height="${String(half)}" fill="rgb(${[r, g, b].join()})"/>`,
  );
  const block = `<rect x="${String(index * BLOCK)}" y="${String(half)}" width="${String(BLOCK)}" height="${String(half)}" fill="#fff"/>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${String(width)}" height="${String(height)}"><rect width="100%" height="100%"/>${fields.join('')}${block}</svg>`;
  const image = sharp(Buffer.from(svg)).flatten({ background: 'black' });
  return format === 'png' ? image.png({ compressionLevel: 1 }).toBuffer() : image.jpeg({ quality: 90 }).toBuffer();
}

/** The number of the frame that a decoded picture shows: where its block is light, in a row below the fields. */
export function frameNumberOf({ width, height }: DecodedVideo, frame: Buffer | undefined): number {
  const start = Math.floor(height * 0.75) * width * 3;
  const row = frame?.subarray(start, start + width * 3) ?? Buffer.alloc(0);
  return Math.round(row.findIndex((value) => value > 128) / 3 / BLOCK);
}

export interface ContextRecord {
  readonly context: EncodeContext;
  readonly logged: readonly { readonly fields: object; readonly message: string }[];
  released(): boolean;
}

interface ContextOptions {
  readonly signal?: AbortSignal;
  readonly source?: FfmpegSource;
  /** The only ones that ffmpeg is said to have. */
  readonly encoders?: readonly string[];
}

const real = createFfmpegSource();

/** What an encoder sees of a render, without one. */
export function openContext(options: ContextOptions = {}): ContextRecord {
  const { signal = new AbortController().signal, encoders } = options;
  const { source = encoders === undefined ? real : async () => ({ ...(await real()), encoders: new Set(encoders) }) } = options;
  const logged: { fields: object; message: string }[] = [];
  let released = false;
  const note = (fields: object, message: string) => void logged.push({ fields, message });
  const log = { debug: note, info: note, warn: note, error: note, child: () => log };
  const context = {
    ...{ plan: {} as never, params: {}, clock: createClock(), signal, log },
    get: (key: unknown) => (key === FFMPEG ? source : undefined),
    release: () => void (released = true),
    ...{ deadlineAt: Infinity, setResponseHeader: () => undefined, setWaitReason: () => undefined },
  } as EncodeContext;
  return { context, logged, released: () => released };
}

export async function bytesOf({ body }: EncodedOutput): Promise<Buffer> {
  return Buffer.isBuffer(body) ? body : buffer(body);
}
