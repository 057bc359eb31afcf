import { type ProtocolSession, withTimeout } from '@platen/kernel';
import { openBodyRecording, type RecordingSpool } from './body-recording.js';
import type { PendingExchange, Received } from './pending-exchange.js';

/** A script that has arrived is compiled next. */
const COMPILE_MS = 1000;

export const READ_MS = 10_000;
/** A larger body is not requested in one piece, even if it could not be streamed: it would be in memory three times. */
const LARGEST_WHOLE_BYTES = 32 * 1024 * 1024;

export interface BodyReading {
  readonly spool: RecordingSpool;
  readonly limit: number | undefined;
  /** Sessions to ask, one after another. */
  readonly from: readonly (ProtocolSession | undefined)[];
  /** Of a worker's own script: a session of the worker. */
  readonly worker: ProtocolSession | undefined;
}

/** Requests a complete body in one piece. If it is unavailable, the part received until then is used. */
export async function readBody(pending: PendingExchange, { spool, limit, from, worker }: BodyReading): Promise<void> {
  const isSmall = pending.seen <= LARGEST_WHOLE_BYTES;
  const found = isSmall ? ((await ask(pending.requestId, from)) ?? (worker && (await askEngine(pending.url, worker)))) : undefined;
  if (!found) {
    pending.body?.end(pending.body.received > 0 ? 'partial' : 'missing');
    return;
  }
  const body = openBodyRecording(spool, limit);
  body.write(found.bytes);
  if (!found.exact && found.bytes.length !== pending.seen) body.decoded();
  const isCut = (found.exact && found.bytes.length < pending.seen) || Math.max(found.bytes.length, pending.seen) < contentLength(pending);
  body.end(pending.failure || !pending.end || isCut ? 'partial' : 'complete');
  pending.body = body;
}

/**
 * Bytes that the server announced, where it sent just these to the page; 0: unknown. Chromium reports a cut image that it can't decode as
 * finished.
 */
export function contentLength({ response, memoryCached }: PendingExchange): number {
  if (!response || memoryCached || response.fromDiskCache === true || response.fromServiceWorker === true) return 0;
  const isCoded = headerOf(response, 'content-encoding') !== undefined;
  return isCoded ? 0 : Number(headerOf(response, 'content-length')) || 0;
}

export function headerOf({ headers }: Received, wanted: string): string | undefined {
  return Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1];
}

interface Found {
  readonly bytes: Buffer;
  /** Base64 is byte for byte; text may have been decoded. */
  readonly exact: boolean;
}

/**
 * If the target is gone, its page knows the body by the same id. A body made by a service worker was never in the network service: only a
 * session that buffers bodies in the renderer has it.
 */
async function ask(requestId: string, from: readonly (ProtocolSession | undefined)[]): Promise<Found | undefined> {
  for (const session of from) {
    try {
      if (!session) continue;
      const { body, base64Encoded } = await session.send('Network.getResponseBody', { requestId }, { timeoutMs: READ_MS });
      return { bytes: Buffer.from(body, base64Encoded ? 'base64' : 'utf8'), exact: base64Encoded };
    } catch {
      continue;
    }
  }
  return undefined;
}

async function askEngine(url: string, worker: ProtocolSession): Promise<Found | undefined> {
  const source = await readScript(worker, url);
  return source === undefined ? undefined : { bytes: Buffer.from(source), exact: false };
}

/**
 * The source of the target's script with that URL, from the engine that runs it. The network buffers do not have a service worker's own
 * script if the worker was faster than the commands that fill them. Text, without a byte order mark.
 */
async function readScript(session: ProtocolSession, url: string): Promise<string | undefined> {
  let stop: () => void = () => undefined;
  const compiled = new Promise<string>((resolve) => {
    const found = (script: { readonly url: string; readonly scriptId: string }): void => {
      if (script.url === url) resolve(script.scriptId);
    };
    const listening = [session.on('Debugger.scriptParsed', found), session.on('Debugger.scriptFailedToParse', found)];
    stop = () => {
      for (const one of listening) one();
    };
  });
  try {
    // The script's own `debugger` statements are not for this session.
    await Promise.all([session.send('Debugger.setSkipAllPauses', { skip: true }), session.send('Debugger.enable')]);
    const scriptId = await withTimeout(compiled, COMPILE_MS);
    return scriptId === undefined ? undefined : (await session.send('Debugger.getScriptSource', { scriptId })).scriptSource;
  } catch {
    return undefined;
  } finally {
    stop();
    session.send('Debugger.disable').catch(() => undefined);
  }
}
