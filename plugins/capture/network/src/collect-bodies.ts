import { enableNetwork, type Page, type ProtocolSession, type TargetSession } from '@platen/kernel';
import { createSlots } from '@platen/lib-slots';
import type { Spool } from '@platen/lib-spool';
import { openBodyRecording, type BodyRecording } from './body-recording.js';
import { flushEvents } from './flush-events.js';
import type { PendingExchange, Received } from './pending-exchange.js';
import { READ_MS, readBody } from './read-body.js';
import { createBodyStreamer, type BodyStream, type BodyStreamer, type Outcome } from './stream-body.js';
import { withTimeout } from './with-timeout.js';

/** Takes in bodies without a hand in the page's requests: small ones are asked for when they are there, large ones are followed as they come. */
export interface Bodies {
  /** Readies a target; what it returns has to be there before the target's first request. */
  follow(target: TargetSession): readonly Promise<unknown>[];
  responded(pending: PendingExchange, target: TargetSession): void;
  ended(pending: PendingExchange, target: TargetSession): void;
  /** What a request posted, where it is too long for the event. */
  readRequest(pending: PendingExchange, body: BodyRecording): void;
  /** Resolves when all that was sent of bodies under way is in, after so many milliseconds at most. */
  flushEvents(milliseconds: number): Promise<void>;
  /** Ends: what is in progress is cut, what is being read is awaited for so many milliseconds. */
  settle(milliseconds: number): Promise<void>;
}

export interface BodyOptions {
  readonly page: Page;
  readonly spool: Spool;
  /** False: of responses none is taken in. */
  readonly wanted: boolean;
  readonly limit: number | undefined;
}

/** The network service keeps this much until it is read; what has come last stays longest. One number for all: a larger one would hold for the browser. */
const DURABLE = { maxTotalBufferSize: 64 * 1024 * 1024, maxResourceBufferSize: 32 * 1024 * 1024 };
/** Up to here a body is asked for in one piece. Where its size is told before its codings, it may grow. */
const WHOLE_BYTES = 1024 * 1024;
const CODED_BYTES = 64 * 1024;
const READS_AT_ONCE = 4;
/** How long one session may be behind another, which has heard the end of a body: it is told of every byte. */
const LAG_MS = READ_MS;

interface Plain {
  readonly session: ProtocolSession;
  readonly streamer: BodyStreamer;
}

interface Following {
  readonly stream: BodyStream;
  readonly target: TargetSession;
  readonly session: ProtocolSession;
}

export function createBodies({ page, spool, wanted, limit }: BodyOptions): Bodies {
  const plain = new WeakMap<TargetSession, Plain>();
  const streams = new Map<PendingExchange, Following>();
  const slots = createSlots(READS_AT_ONCE);
  const { track, idle } = createWork();
  const isOff = !wanted || limit === 0;
  const finish = async (pending: PendingExchange, target: TargetSession): Promise<void> => {
    const following = streams.get(pending);
    streams.delete(pending);
    const outcome = following && (await endOf(following));
    if (endStreamed(pending, outcome)) return;
    const own = plain.get(target)?.session;
    const worker = pending.requestId === target.targetId ? own : undefined;
    await slots.run(() => readBody(pending, { spool, limit, from: [target, page, own], worker }));
  };
  return {
    follow(target) {
      const enabled = enableNetwork(target);
      if (isOff) return [enabled];
      const kept = target.send('Network.configureDurableMessages', DURABLE);
      return target.kind === 'worklet' ? [enabled, kept] : [enabled, kept, openPlain(target).then((one) => plain.set(target, one))];
    },
    responded(pending, target) {
      const one = plain.get(target);
      if (isOff || !one || !isLong(pending)) return;
      pending.body = openBodyRecording(spool, limit);
      streams.set(pending, { stream: one.streamer.stream(pending.requestId, pending.body), target, session: one.session });
    },
    ended(pending, target) {
      if (!wanted || hasNoBody(pending) || (pending.failure && pending.seen === 0)) return;
      pending.body ??= openBodyRecording(spool, limit);
      if (isEmptyAnswer(pending)) pending.body.end('complete');
      else if (limit === 0) pending.body.end('truncated');
      else track(finish(pending, target));
    },
    readRequest(pending, body) {
      track(readPosted(pending, body));
    },
    flushEvents: (milliseconds) => flushEvents([...streams.values()].flatMap(sessionsOf), milliseconds),
    async settle(milliseconds) {
      for (const [pending, { stream }] of streams) {
        stream.cut();
        pending.body?.end('partial');
      }
      await withTimeout(milliseconds, idle());
    },
  };
}

/** Whether all of the body came through the stream; then it is ended. */
function endStreamed({ body, seen, failure }: PendingExchange, outcome: Outcome | undefined): boolean {
  if (outcome !== 'streamed' || !body || body.received < seen) return false;
  body.end(failure ? 'partial' : 'complete');
  return true;
}

const sessionsOf = ({ target, session }: Following) => [target, session];

/** Its target has told the end: all of it was sent, and is in when the stream's own session has caught up. */
async function endOf({ stream, session }: Following): Promise<Outcome> {
  await Promise.race([stream.done, flushEvents([session], LAG_MS)]);
  stream.cut();
  return stream.done;
}

/** What goes on at this moment. */
function createWork(): { readonly track: (work: Promise<unknown>) => void; readonly idle: () => Promise<unknown> } {
  const running = new Set<Promise<unknown>>();
  return {
    track(work) {
      const tracked: Promise<unknown> = work.catch(() => undefined).finally(() => running.delete(tracked));
      running.add(tracked);
    },
    idle: () => Promise.all(running),
  };
}

async function openPlain(target: TargetSession): Promise<Plain> {
  const session = await target.openSession();
  const streamer = createBodyStreamer(session);
  await enableNetwork(session);
  return { session, streamer };
}

async function readPosted({ target, requestId }: PendingExchange, body: BodyRecording): Promise<void> {
  try {
    const { postData, base64Encoded } = await target.send('Network.getRequestPostData', { requestId }, { timeoutMs: READ_MS });
    body.write(Buffer.from(postData, base64Encoded ? 'base64' : 'utf8'));
    body.end('complete');
  } catch {
    body.end('missing');
  }
}

/** Whether the body is long, or may be: then it is taken in as it comes. What is there already does not come. */
function isLong({ response, memoryCached }: PendingExchange): boolean {
  if (!response || memoryCached || response.fromDiskCache === true || response.fromServiceWorker === true) return false;
  const length = Number(headerOf(response, 'content-length') ?? Number.NaN);
  return !(length <= (headerOf(response, 'content-encoding') === undefined ? WHOLE_BYTES : CODED_BYTES));
}

function headerOf({ headers }: Received, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

/** Whether the headers are the whole answer. What a page does not read Chromium calls canceled, and there was nothing to read. */
export function isEmptyAnswer(pending: PendingExchange): boolean {
  const { response, seen } = pending;
  if (!response || seen > 0) return false;
  return hasNoBody(pending) || (response.fromServiceWorker !== true && headerOf(response, 'content-length') === '0');
}

/** Whether by the protocol there is no body (RFC 9110, 6.4.1). */
export function hasNoBody({ method, response, redirected, socket }: PendingExchange): boolean {
  return redirected || socket !== undefined || method === 'HEAD' || [204, 205, 304].includes(response?.status ?? 0);
}
