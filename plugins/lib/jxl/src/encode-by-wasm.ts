import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';
import { decodeRaster, encodeSlots } from '@platen/lib-raster';

/** The loss is invisible side by side: Butteraugli distance 1. */
export const QUALITY = 90;

/** 1 to 9. The next step saves no bytes (test/bench/outputs.md). */
export const EFFORT = 5;

export interface EncodeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Path of the host's ffmpeg; default: the one in `PATH`. */
  readonly ffmpeg?: string | undefined;
  /** 1 to 100. */
  readonly quality?: number | undefined;
  readonly lossless?: boolean | undefined;
}

/** Encodes a PNG. Stops immediately when the signal is aborted, without leaving a process, thread or file behind. */
export type EncodeJxl = (png: Buffer | Readable, options: EncodeOptions) => Promise<Buffer>;

/** 32-bit WebAssembly has 2 GiB, of which libjxl needs some 75 bytes per pixel. */
export const MAX_WASM_PIXELS = 2 ** 24;

/** A script instead of a file: works the same from sources, from a build and from a bundle. */
const WORKER = `const { parentPort, workerData } = require('node:worker_threads');
(${String(encodeInWorker)})({ job: workerData, load: (url) => import(url), send: (data) => parentPort.postMessage(data) });`;

const require = createRequire(import.meta.url);

let compiling: Promise<WebAssembly.Module> | undefined;

/** Uses a dedicated thread for each image: WebAssembly memory is released only when its thread ends. */
export async function encodeByWasm(
  png: Buffer | Readable,
  { signal, quality = QUALITY, lossless = false }: EncodeOptions,
): Promise<Buffer> {
  const settings = { ...SETTINGS, quality: lossless ? 100 : quality, lossless };
  const { data, width, height } = await decodeRaster(png, { channels: 4, ...(signal === undefined ? {} : { signal }) });
  const wasm = await (compiling ??= compile(require.resolve('@jsquash/jxl/codec/enc/jxl_enc.wasm')));
  const codec = pathToFileURL(require.resolve('@jsquash/jxl/codec/enc/jxl_enc.js')).href;
  return encodeSlots.run(() => runWorker({ codec, wasm, data, width, height, settings }, signal), signal);
}

async function runWorker(job: WorkerJob, signal: AbortSignal | undefined): Promise<Buffer> {
  const worker = new Worker(WORKER, { eval: true, workerData: job });
  try {
    const answered = once(worker, 'message', signal === undefined ? {} : { signal });
    const [encoded]: unknown[] = await Promise.race([answered, once(worker, 'exit').then(() => [])]);
    if (encoded instanceof Uint8Array) return Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    throw new Error('the encoder returned nothing');
  } finally {
    await worker.terminate();
  }
}

async function compile(file: string): Promise<WebAssembly.Module> {
  return WebAssembly.compile(new Uint8Array(await readFile(file)));
}

const SETTINGS = {
  effort: EFFORT,
  progressive: false,
  epf: -1,
  lossyPalette: false,
  decodingSpeedTier: 0,
  photonNoiseIso: 0,
  lossyModular: false,
};

/** The input of one image's thread; must support structured cloning. */
interface WorkerJob {
  /** URL of Emscripten's module. */
  readonly codec: string;
  readonly wasm: WebAssembly.Module;
  /** Red, green, blue, alpha; 8 bits each. */
  readonly data: Uint8Array;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly settings: Readonly<Record<string, number | boolean>>;
}

interface Codec {
  encode(data: Uint8Array, width: number, height: number, settings: WorkerJob['settings']): Uint8Array | null;
}

interface CodecModule {
  readonly default: (options: {
    readonly noInitialRun: boolean;
    print(): void;
    printErr(): void;
    instantiateWasm(imports: WebAssembly.Imports, done: (instance: WebAssembly.Instance) => void): WebAssembly.Exports;
  }) => Promise<Codec>;
}

interface WorkerScope {
  readonly job: WorkerJob;
  load(url: string): Promise<CodecModule>;
  send(encoded: Uint8Array | null): void;
}

/** Runs in the worker, from its source text; must not capture outer variables. Its exceptions become the worker's error. */
async function encodeInWorker({ job, load, send }: WorkerScope): Promise<void> {
  const { default: createCodec } = await load(job.codec);
  const codec = await createCodec({
    noInitialRun: true,
    print: () => undefined,
    printErr: () => undefined,
    instantiateWasm(imports, done) {
      const instance = new WebAssembly.Instance(job.wasm, imports);
      done(instance);
      return instance.exports;
    },
  });
  send(codec.encode(job.data, job.width, job.height, job.settings));
}
