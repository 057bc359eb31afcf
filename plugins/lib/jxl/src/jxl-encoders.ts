import { Readable } from 'node:stream';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { ToolDeclaration } from '@platen/kernel';
import { encodeSlots } from '@platen/lib-raster';
import { EFFORT, encodeByWasm, type EncodeJxl, type EncodeOptions, MAX_WASM_PIXELS, QUALITY } from './encode-by-wasm.js';

const MAX_OUTPUT = 2 ** 30;

/** The programs and the package that can encode JPEG XL, fastest first (test/bench/outputs.md). */
export const JXL_ENCODERS = {
  id: 'jpeg_xl_encoder',
  candidates: [
    { name: 'cjxl', command: ['cjxl', '--version'], prints: '^cjxl v?(\\S+)' },
    { name: 'ffmpeg with libjxl', command: ['ffmpeg', '-hide_banner', '-encoders'], prints: '^ V\\S+ libjxl ' },
    { name: '@jsquash/jxl', package: '@jsquash/jxl' },
  ],
  fix: 'apt-get install libjxl-tools',
  from: import.meta.url,
} as const satisfies ToolDeclaration;

export type JxlEncoderName = (typeof JXL_ENCODERS)['candidates'][number]['name'];

export interface JxlMethod {
  readonly encode: EncodeJxl;
  /** Pixels of the largest image. */
  readonly maxPixels: number;
}

export const JXL_METHODS: Readonly<Record<JxlEncoderName, JxlMethod>> = {
  cjxl: { encode: inSlot(encodeByCjxl), maxPixels: Infinity },
  'ffmpeg with libjxl': { encode: inSlot(encodeByFfmpeg), maxPixels: Infinity },
  '@jsquash/jxl': { encode: encodeByWasm, maxPixels: MAX_WASM_PIXELS },
};

/** A program beside this process uses a processor like any other encoder. */
function inSlot(encode: EncodeJxl): EncodeJxl {
  return (png, options) => encodeSlots.run(() => encode(png, options), options.signal);
}

/** Butteraugli distance of a quality, as libjxl maps it (`JxlEncoderDistanceFromQuality`); 0 is lossless. */
function distanceOf({ quality = QUALITY, lossless }: Pick<EncodeOptions, 'quality' | 'lossless'>): number {
  if (lossless === true || quality === 100) return 0;
  return quality >= 30 ? 0.1 + (100 - quality) * 0.09 : (53 / 3000) * quality ** 2 - (23 / 20) * quality + 25;
}

function encodeByFfmpeg(png: Buffer | Readable, { signal, ffmpeg = 'ffmpeg', ...wishes }: EncodeOptions): Promise<Buffer> {
  const input = ['-f', 'png_pipe', '-i', 'pipe:0', '-frames:v', '1'];
  const codec = ['-c:v', 'libjxl', '-distance', String(distanceOf(wishes)), '-effort', String(EFFORT)];
  const args = ['-v', 'error', '-threads', '1', ...input, ...codec, '-f', 'image2pipe', 'pipe:1'];
  return runEncoder({ program: ffmpeg, args, input: png, signal });
}

/** libjxl's own program. It seeks in its input, so it reads files. */
async function encodeByCjxl(png: Buffer | Readable, { signal, ...wishes }: EncodeOptions): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-jxl-'));
  try {
    const [source, target] = [join(folder, 'page.png'), join(folder, 'page.jxl')];
    await writeFile(source, png, signal === undefined ? {} : { signal });
    const settings = ['--distance', String(distanceOf(wishes)), '--effort', String(EFFORT), '--num_threads', '0', '--quiet'];
    await runEncoder({ program: 'cjxl', args: [source, target, ...settings], signal });
    return await readFile(target);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

interface EncoderRun {
  readonly program: string;
  readonly args: readonly string[];
  /** Piped to the program's standard input. */
  readonly input?: Buffer | Readable;
  /** Kills the program. */
  readonly signal: AbortSignal | undefined;
}

/** The program's standard output. Rejects if the program fails, with its log. */
export async function runEncoder({ program, args, input, signal }: EncoderRun): Promise<Buffer> {
  const options = { encoding: 'buffer', maxBuffer: MAX_OUTPUT, killSignal: 'SIGKILL', signal } as const;
  const running = promisify(execFile)(program, args, options);
  const { stdin } = running.child;
  const feeding = input === undefined || stdin === null ? undefined : feed(input, stdin);
  // The reason why the program ended is more useful than the error about its closed input.
  const [ended, fed] = await Promise.allSettled([running, feeding]);
  if (ended.status === 'rejected') throw ended.reason;
  if (fed.status === 'rejected') throw fed.reason;
  return ended.value.stdout;
}

function feed(input: Buffer | Readable, stdin: NodeJS.WritableStream): Promise<void> {
  return pipeline(Buffer.isBuffer(input) ? Readable.from([input]) : input, stdin);
}
