import { ConcurrencyLimiter, enableNetwork, type Page, type ProtocolSession, type TargetSession, withTimeout } from '@platen/kernel';
import { type BodyRecording, openBodyRecording, type RecordingSpool } from './body-recording.js';
import type { PendingExchange } from './pending-exchange.js';
import { type BodyReading, contentLength, headerOf, READ_MS, readBody } from './read-body.js';
import { type BodyStream, type BodyStreamer, createBodyStreamer, type Outcome } from './stream-body.js';

/** Records bodies without intercepting the page's requests: small bodies are read when they are complete, large ones are streamed. */
export interface Bodies {
  /** Prepares a target. The returned promises must resolve before the target's first request. */
  follow(target: TargetSession): readonly Promise<unknown>[];
  responded(pending: PendingExchange, target: TargetSession): void;
  ended(pending: PendingExchange, target: TargetSession): void;
  /** The posted data of a request, if it is too long for the event. */
  readRequest(pending: PendingExchange, body: BodyRecording): void;
  /** Resolves when all data sent so far has been recorded, after this many milliseconds at most. */
  flushEvents(milliseconds: number): Promise<void>;
  /** Ends: bodies in progress are truncated; reads in progress are awaited for this many milliseconds. */
  settle(milliseconds: number): Promise<void>;
}

export interface BodyOptions {
  readonly page: Page;
  readonly spool: RecordingSpool;
  /** False: no response bodies are recorded. */
  readonly wanted: boolean;
  readonly limit: number | undefined;
  readonly sessions: BodySessions;
}

/** The second session of each target, which streams bodies: opened once, whatever the number of recordings. */
export type BodySessions = WeakMap<TargetSession, Plain>;

/**
 * The network service buffers this much until it is read, and evicts the oldest data first. One number for all sessions, because a larger
 * one would apply to the whole browser.
 */
const DURABLE = { maxTotalBufferSize: 64 * 1024 * 1024, maxResourceBufferSize: 32 * 1024 * 1024 };
/** Maximum size of a body read in one piece. It is lower if the size is known only before decoding, because the body may grow. */
const WHOLE_BYTES = 1024 * 1024;
const CODED_BYTES = 64 * 1024;
const READS_AT_ONCE = 4;
/** How far one session, which gets an event for every byte, may lag behind the session that has seen the end of a body. */
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

export function createBodies({ page, spool, wanted, limit, sessions: plain }: BodyOptions): Bodies {
  const streams = new Map<PendingExchange, Following>();
  const unended = new Map<PendingExchange, TargetSession>();
  const slots = new ConcurrencyLimiter(READS_AT_ONCE);
  const { track, idle } = createWork();
  const isOff = !wanted || limit === 0;
  const finish = async (pending: PendingExchange, target: TargetSession): Promise<void> => {
    const following = streams.get(pending);
    streams.delete(pending);
    if (!endStreamed(pending, following && (await endOf(following)))) await read(pending, target);
  };
  const read = (pending: PendingExchange, target: TargetSession): Promise<void> =>
    slots.run(() => readBody(pending, { spool, limit, ...sourcesOf(pending, { target, page, own: plain.get(target)?.session }) }));
  return {
    follow(target) {
      const enabled = enableNetwork(target);
      if (isOff) return [enabled];
      const durable = target.send('Network.configureDurableMessages', DURABLE);
      if (target.kind === 'worklet' || plain.has(target)) return [enabled, durable];
      return [enabled, durable, openPlain(target).then((one) => plain.set(target, one))];
    },
    responded(pending, target) {
      if (!isOff) unended.set(pending, target);
      const one = plain.get(target);
      if (isOff || !one || !isLong(pending)) return;
      pending.body = openBodyRecording(spool, limit);
      streams.set(pending, { stream: one.streamer.stream(pending.requestId, pending.body), target, session: one.session });
    },
    ended(pending, target) {
      unended.delete(pending);
      if (!wanted || hasNoBody(pending) || (pending.failure && pending.seen === 0)) return;
      pending.body ??= openBodyRecording(spool, limit);
      if (isEmptyResponse(pending)) pending.body.end('complete');
      else if (limit === 0) pending.body.end('truncated');
      else track(finish(pending, target));
    },
    readRequest(pending, body) {
      track(readPosted(pending, body));
    },
    flushEvents: (milliseconds) => flushEvents([...streams.values()].flatMap(sessionsOf), milliseconds),
    async settle(milliseconds) {
      for (const { stream } of streams.values()) stream.cut();
      for (const [pending, target] of unended) {
        if (isUnread(pending)) track(read(pending, target));
        else pending.body?.end('partial');
      }
      await withTimeout(idle(), milliseconds);
    },
  };
}

/** Whether the whole body came through the stream; if so, it is ended. A page that reads a response as a blob gets it past the stream. */
function endStreamed(pending: PendingExchange, outcome: Outcome | undefined): boolean {
  const { body, seen, failure } = pending;
  if (outcome !== 'streamed' || !body || body.received < seen) return false;
  if (body.received === 0 && !isEmptyResponse(pending) && !failure) return false;
  body.end(failure || body.received < contentLength(pending) ? 'partial' : 'complete');
  return true;
}

/** Of a document that its own script replaces immediately, the end is not always reported, and its stream may come too late. */
function isUnread({ seen, body }: PendingExchange): boolean {
  return seen > 0 && (body?.received ?? 0) === 0;
}

interface Sessions {
  readonly target: TargetSession;
  readonly page: Page;
  readonly own: ProtocolSession | undefined;
}

/** Who may have the body of a response. */
function sourcesOf({ requestId }: PendingExchange, { target, page, own }: Sessions): Pick<BodyReading, 'from' | 'worker'> {
  return { from: [target, page, own], worker: requestId === target.targetId ? own : undefined };
}

const sessionsOf = ({ target, session }: Following) => [target, session];

/** Its target has reported the end: everything was sent, and is recorded when the stream's own session has caught up. */
async function endOf({ stream, session }: Following): Promise<Outcome> {
  await Promise.race([stream.done, flushEvents([session], LAG_MS)]);
  stream.cut();
  return stream.done;
}

/** Work in progress. */
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

/** Whether the body is long, or may be. Such a body is streamed. A body that the browser already has is not streamed. */
function isLong({ response, memoryCached }: PendingExchange): boolean {
  if (!response || memoryCached || response.fromDiskCache === true || response.fromServiceWorker === true) return false;
  const length = Number(headerOf(response, 'content-length') ?? Number.NaN);
  return !(length <= (headerOf(response, 'content-encoding') === undefined ? WHOLE_BYTES : CODED_BYTES));
}

/**
 * Whether the response consists of headers only. Chromium reports a body that the page does not read as canceled, and there was nothing
 * to read.
 */
export function isEmptyResponse(pending: PendingExchange): boolean {
  const { response, seen } = pending;
  if (!response || seen > 0) return false;
  return hasNoBody(pending) || (response.fromServiceWorker !== true && headerOf(response, 'content-length') === '0');
}

/** Whether the protocol allows no body (RFC 9110, 6.4.1). */
export function hasNoBody({ method, response, redirected, socket }: PendingExchange): boolean {
  return redirected || socket !== undefined || method === 'HEAD' || [204, 205, 304].includes(response?.status ?? 0);
}

/** Waits until everything that the sessions' targets have sent so far is processed: a response arrives after the events sent before it. */
async function flushEvents(sessions: Iterable<ProtocolSession>, milliseconds: number): Promise<void> {
  // The cheapest command that a renderer handles itself. An error is a response, too.
  const responses = [...new Set(sessions)].map((session) => session.send('Runtime.getIsolateId'));
  await withTimeout(Promise.allSettled(responses), milliseconds);
}
