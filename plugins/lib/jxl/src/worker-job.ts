/** The input of one image's thread; must support structured cloning. */
export interface WorkerJob {
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

export interface WorkerScope {
  readonly job: WorkerJob;
  load(url: string): Promise<CodecModule>;
  send(encoded: Uint8Array | null): void;
}

/** Runs in the worker, from its source text; must not capture outer variables. Its exceptions become the worker's error. */
export async function encodeInWorker({ job, load, send }: WorkerScope): Promise<void> {
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
