import { type Connection, PlatenError, readWait, type Rendered, sleep } from './connection.js';
import type { AnyParams, JobRecord } from './types.js';

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Phase, and pages or steps of a render that has several. */
export type JobProgress = Pick<JobRecord, 'state'> & JobRecord['progress'];

export interface JobOptions extends CallOptions {
  /** Called with each change. */
  readonly onProgress?: ((progress: JobProgress) => void) | undefined;
}

export interface Job {
  /** Undefined: the server has no jobs, and has rendered immediately. */
  readonly id: string | undefined;
  readonly result: Promise<Rendered>;
  cancel(): Promise<void>;
}

/** Seconds for which the server may hold its response until the job ends. */
const [WAIT, WAIT_FOR_PROGRESS] = [30, 1];

export async function renderJob(connection: Connection, params: object, options: JobOptions = {}): Promise<Job> {
  const { signal } = options;
  const response = await connection.post(params, signal, { Prefer: 'respond-async' });
  if (response.status !== 202)
    return { id: undefined, result: Promise.resolve(connection.toRendered(response)), cancel: async () => await response.body?.cancel() };
  const { id } = (await response.json()) as JobRecord;
  const cancel = async () => void (await connection.send(`/jobs/${id}`, { method: 'DELETE' }));
  const result = follow(connection, id, options).catch(async (error: unknown) => {
    if (signal?.aborted === true) await cancel().catch(() => undefined);
    throw error;
  });
  // The caller may ignore it, and only cancel the job.
  result.catch(() => undefined);
  return { id, result, cancel };
}

async function follow({ send, toAsset }: Connection, id: string, { signal, onProgress }: JobOptions): Promise<Rendered> {
  const headers = { Prefer: `wait=${String(onProgress === undefined ? WAIT : WAIT_FOR_PROGRESS)}` };
  for (let last = ''; ;) {
    const asked = Date.now();
    const response = await send(`/jobs/${id}`, { headers, signal });
    const { state, progress, output, assets = [], problem = {}, ...job } = (await response.json()) as JobRecord;
    const note = JSON.stringify([state, progress]);
    if (note !== last) onProgress?.({ state, ...progress });
    last = note;
    const files = assets.map(({ name, content_type: type, url }) => toAsset(name, type, url));
    if (output !== undefined)
      return { ...(await toAsset('', '', output.url).open(signal)), headers: new Headers(job.headers), assets: () => files };
    if (state === 'failed') throw new PlatenError(problem, files);
    if (state === 'canceled') throw new DOMException('the job was canceled', 'AbortError');
    await sleep(Math.max(0, (readWait(response) ?? 1) - (Date.now() - asked) / 1000), signal);
  }
}

export interface BatchOptions extends CallOptions {
  /** Renders in progress at a time. Default: 4. */
  readonly concurrency?: number | undefined;
}

/** The end of one render. */
export type BatchResult =
  | { readonly index: number; readonly rendered: Rendered; readonly error?: never }
  | { readonly index: number; readonly error: unknown; readonly rendered?: never };

/** Each request has its own controller: results that were yielded can still be read after the end. */
export async function* renderBatch(
  { post, toRendered }: Connection,
  requests: Iterable<AnyParams>,
  { concurrency = 4, signal }: BatchOptions = {},
): AsyncGenerator<BatchResult, void, undefined> {
  const queue = requests[Symbol.iterator]();
  const running = new Map<number, { readonly leave: AbortController; readonly ended: Promise<BatchResult> }>();
  const start = (index: number, params: AnyParams) => {
    const leave = new AbortController();
    const rendering = post(params, signal === undefined ? leave.signal : AbortSignal.any([leave.signal, signal]));
    const ended = rendering.then(
      (response) => ({ index, rendered: toRendered(response) }),
      (error: unknown) => ({ index, error }),
    );
    running.set(index, { leave, ended });
  };
  try {
    for (let index = 0; ;) {
      for (let next; running.size < concurrency && (next = queue.next()).done !== true; index += 1) start(index, next.value);
      if (running.size === 0) return;
      const result = await Promise.race([...running.values()].map(({ ended }) => ended));
      signal?.throwIfAborted();
      running.delete(result.index);
      yield result;
    }
  } finally {
    for (const { leave } of running.values()) leave.abort();
  }
}
