import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { isPlatenError, type MissingAsset, PlatenError, type StoredAsset } from '@platen/kernel';
import { decodeError, type Frame, type Message, type ProgressMessage, readBytes, readFrames, type ResultHead } from './frames.js';
import type { Attempt, FrontJob } from './front-job.js';

/** Outputs up to this size are taken as a whole: until then another worker can replace one that is lost. */
const BUFFERED_BYTES = 4 * 1024 ** 2;

/** A worker's connection, as an attempt of a job. */
export interface Reception extends Attempt {
  /** Takes what the worker sends. Resolves when the job is over; rejects if the worker is lost, which leaves no asset behind. */
  receive(job: FrontJob): Promise<void>;
}

export function openReception(request: IncomingMessage, number: number): Reception {
  const controller = new AbortController();
  let heardAt = performance.now();
  const heard = async function* (): AsyncGenerator<Frame, void, undefined> {
    for await (const frame of readFrames(request)) {
      heardAt = performance.now();
      yield frame;
    }
  };
  return {
    number,
    abort(reason) {
      controller.abort(reason);
      request.destroy();
    },
    // Bytes that wait in the buffer show that the client is slow, not the worker.
    isSilent: (ms) => request.readableLength === 0 && performance.now() - heardAt > ms,
    async receive(job) {
      const taken: Taken = { kept: [], missing: [], signal: controller.signal };
      try {
        await receiveFrames(job, heard(), taken);
      } catch (error) {
        if (!job.isDelivering) await job.call.store.discard(taken.kept);
        throw error;
      }
    },
  };
}

/** Assets so far. */
interface Taken {
  readonly kept: StoredAsset[];
  readonly missing: MissingAsset[];
  readonly signal: AbortSignal;
}

async function receiveFrames(job: FrontJob, frames: AsyncGenerator<Frame, void, undefined>, taken: Taken): Promise<void> {
  for (;;) {
    const next = await frames.next();
    if (next.done === true) throw new Error('the worker closed its connection');
    if (next.value === 'end' || !('message' in next.value)) throw new Error('a worker sent bytes of nothing');
    const { message } = next.value;
    if (await receiveMessage(message, { job, frames, taken })) return;
  }
}

interface Receiving {
  readonly job: FrontJob;
  readonly frames: AsyncGenerator<Frame, void, undefined>;
  readonly taken: Taken;
}

/** Resolves with whether it was the last message. */
async function receiveMessage(message: Message, receiving: Receiving): Promise<boolean> {
  const { job, taken } = receiving;
  switch (message.type) {
    case 'phase':
    case 'progress':
      report(job, message);
      return false;
    case 'asset':
      await receiveAsset(message.head, receiving);
      return false;
    case 'error':
      job.fail(decodeError(message.error).withAssets({ kept: taken.kept, missing: [...taken.missing, ...message.error.missing] }));
      return true;
    case 'result':
      await receiveOutput(message.result, receiving);
      return true;
  }
}

function report({ call }: FrontJob, message: ProgressMessage): void {
  if (message.type === 'phase') call.onPhase?.(message.phase);
  else call.onProgress?.(message.progress);
}

/** The bytes that follow a message. */
function bytesOf({ job, frames }: Receiving): AsyncGenerator<Buffer, void, undefined> {
  return readBytes(frames, (message) => {
    report(job, message);
  });
}

/** An asset that cannot be stored is missing from the response, but the render does not fail. */
async function receiveAsset(head: Parameters<FrontJob['call']['store']['put']>[0], receiving: Receiving): Promise<void> {
  const { job, taken } = receiving;
  const state = { isWhole: false };
  const bytes = async function* () {
    yield* bytesOf(receiving);
    state.isWhole = true;
  };
  try {
    taken.kept.push(await job.call.store.put(head, Readable.from(bytes(), { objectMode: false }), taken.signal));
  } catch (error) {
    taken.signal.throwIfAborted();
    job.call.log.warn({ asset: head.name, err: error }, 'an asset of a worker was not stored');
    taken.missing.push({ name: head.name, reason: 'it could not be stored' });
    // Throws if the connection was the cause.
    if (!state.isWhole) await finished(Readable.from(bytesOf(receiving), { objectMode: false }).resume());
  }
}

async function receiveOutput({ missing, headers, timings, ...head }: ResultHead, receiving: Receiving): Promise<void> {
  const { job, taken } = receiving;
  const assets = { kept: taken.kept, missing: [...taken.missing, ...missing] };
  // The front reports how long the request has waited, which the worker has counted too.
  const queue = Math.max(0, (timings.queue ?? 0) - job.call.waitedMs);
  const result = { assets, headers, timings: { ...timings, queue } };
  if (head.length !== undefined && head.length <= BUFFERED_BYTES) {
    // `buffer()` of node:stream/consumers would copy it through a Blob.
    const pieces: Buffer[] = [];
    for await (const piece of bytesOf(receiving)) pieces.push(piece);
    job.resolve({ ...result, output: { ...head, body: Buffer.concat(pieces) } });
    return;
  }
  const body = Readable.from(readBody(bytesOf(receiving)), { objectMode: false });
  job.isDelivering = true;
  job.resolve({ ...result, output: { ...head, body } });
  await finished(body);
}

/** The body of a worker that is lost ends with an error of the table. */
async function* readBody(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  try {
    yield* bytes;
  } catch (error) {
    throw isPlatenError(error) ? error : new PlatenError('browser_lost', 'the worker was lost while its result was sent', { cause: error });
  }
}
