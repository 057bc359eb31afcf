import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isPlatenError, PlatenError, type RenderResult, type ServerApi } from '@platen/kernel';
import type {} from '@platen/server';
import { callFront, type FrontConnection } from './call-front.js';
import { encodeBytes, encodeError, encodeMessage, END, type ProgressMessage } from './frames.js';
import { ENDPOINT } from './front.js';
import { findLacking } from './settings.js';
import type { JobData } from './queue.js';

/** A job as the queue hands it to a worker. */
export interface ClaimedJob {
  readonly id: string;
  readonly data: JobData;
  /** 1 for the first. */
  readonly attempt: number;
}

/** The worker is shutting down before it has sent anything of the result: another one takes the job. */
export class HandBackError extends Error {
  override readonly name = 'HandBackError';
}

/**
 * Renders a job and sends the result to its front. Resolves with whether the front wanted it.
 *
 * @throws HandBackError
 */
export async function carryOut(job: ClaimedJob, server: Pick<ServerApi, 'render' | 'assets' | 'isGiven'>): Promise<boolean> {
  const front = await callFront(job.data, job.id, job.attempt);
  if (front === undefined) return false;
  const progress = createProgressLine(front);
  try {
    const result = await render(job, { front, progress, server }).catch((error: unknown) => {
      if (isPlatenError(error) && error.code === 'draining' && !front.signal.aborted) throw new HandBackError('shutting down');
      return isPlatenError(error) ? error : new PlatenError('internal', 'unexpected error', { cause: error });
    });
    try {
      await pipeline(Readable.from(encodeOutcome(result, progress), { objectMode: false }), front.request);
      await front.finished();
    } catch {
      // The front has closed the connection: it has another attempt, or its client has left.
    } finally {
      await server.assets.discard(result.assets?.kept ?? []);
      if (!isPlatenError(result) && result.output.body instanceof Readable) result.output.body.destroy();
    }
    return true;
  } finally {
    front.close();
  }
}

interface Rendering {
  readonly front: FrontConnection;
  readonly progress: ProgressLine;
  readonly server: Pick<ServerApi, 'render' | 'isGiven'>;
}

async function render({ data }: ClaimedJob, { front, progress, server }: Rendering): Promise<RenderResult> {
  const { signal, waitedMs } = front;
  let isAccepted = false;
  const rendering = server.render({
    id: data.requestId,
    endpoint: ENDPOINT,
    source: 'body',
    raw: data.params,
    signal,
    waitedMs,
    onPlanned({ cacheKey }) {
      isAccepted = true;
      if (cacheKey !== data.cacheKey) throw differs('the worker understands the request differently');
      const lacking = findLacking(data.protections, server);
      if (lacking !== undefined) throw differs(`the worker lacks --${lacking}, which its front has`);
    },
    onPhase(phase) {
      progress.send({ type: 'phase', phase });
    },
    onProgress(counts) {
      progress.send({ type: 'progress', progress: counts });
    },
  });
  return await rendering.catch((error: unknown) => {
    // The front has accepted the same parameters.
    if (isAccepted || !isPlatenError(error) || error.code !== 'invalid_parameters') throw error;
    throw differs(`the worker refuses the request (${error.message})`, error);
  });
}

function differs(text: string, cause?: unknown): PlatenError {
  return new PlatenError('feature_unavailable', `${text}: fronts and workers must have the same version, plugins and flags`, { cause });
}

/** Messages of progress are collected for so long: each write is a system call here and at the front. */
const COLLECT_MS = 50;

/** How messages of progress reach the front. */
interface ProgressLine {
  send(message: ProgressMessage): void;
  /** From now on the messages are left for `take`: they must not interrupt a frame of the result. */
  hold(): void;
  /** The messages that are not sent yet; once held, only the latest remains. */
  take(): readonly Buffer[];
}

function createProgressLine({ request }: FrontConnection): ProgressLine {
  const state: { isHeld: boolean; waiting: readonly Buffer[]; timer?: NodeJS.Timeout | undefined } = { isHeld: false, waiting: [] };
  const take = () => {
    clearTimeout(state.timer);
    state.timer = undefined;
    const { waiting } = state;
    state.waiting = [];
    return waiting;
  };
  const flush = () => {
    if (!request.destroyed) request.write(Buffer.concat(take()));
  };
  return {
    send(message) {
      const frame = encodeMessage(message);
      state.waiting = state.isHeld ? [frame] : [...state.waiting, frame];
      if (!state.isHeld) state.timer ??= setTimeout(flush, COLLECT_MS);
    },
    hold() {
      clearTimeout(state.timer);
      state.isHeld = true;
    },
    take,
  };
}

/** The assets first, since the front answers its client as soon as the output begins. */
async function* encodeOutcome(outcome: RenderResult | PlatenError, progress: ProgressLine): AsyncGenerator<Buffer, void, undefined> {
  progress.hold();
  try {
    for (const { open, name, contentType, extension, forViewers, incomplete } of outcome.assets?.kept ?? []) {
      const head = { name, contentType, extension };
      const more = { ...(forViewers === undefined ? {} : { forViewers }), ...(incomplete === undefined ? {} : { incomplete }) };
      yield encodeMessage({ type: 'asset', head: { ...head, ...more } });
      yield* encodeAll(open(), progress);
    }
    if (isPlatenError(outcome)) {
      yield Buffer.concat([...progress.take(), encodeError(outcome)]);
      return;
    }
    const { output, headers, timings, assets } = outcome;
    const { body, ...head } = output;
    const length = Buffer.isBuffer(body) ? { length: body.length } : {};
    const message = encodeMessage({ type: 'result', result: { ...head, ...length, headers, timings, missing: assets.missing } });
    if (Buffer.isBuffer(body) && body.length <= SLICE_BYTES) {
      yield Buffer.concat([...progress.take(), message, ...encodeBytes(body), END]);
      return;
    }
    yield message;
    yield* encodeAll(Buffer.isBuffer(body) ? slice(body) : body, progress);
  } catch (error) {
    yield encodeError(error);
  }
}

async function* encodeAll(body: AsyncIterable<Buffer> | Iterable<Buffer>, progress: ProgressLine): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of body) {
    yield* progress.take();
    yield* encodeBytes(chunk);
  }
  yield END;
}

const SLICE_BYTES = 256 * 1024;

/** So that a large buffer does not wait in the socket as a whole. */
function* slice(bytes: Buffer): Generator<Buffer, void, undefined> {
  for (let at = 0; at < bytes.length; at += SLICE_BYTES) yield bytes.subarray(at, at + SLICE_BYTES);
}
