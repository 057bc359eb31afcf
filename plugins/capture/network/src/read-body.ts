import type { ProtocolSession } from '@platen/kernel';
import type { Spool } from '@platen/lib-spool';
import { openBodyRecording } from './body-recording.js';
import type { PendingExchange } from './pending-exchange.js';
import { readScript } from './read-script.js';

export const READ_MS = 10_000;
/** Past this a body is not asked for in one piece, not even where it could not be followed: it would be in memory three times. */
const LARGEST_WHOLE_BYTES = 32 * 1024 * 1024;

export interface BodyReading {
  readonly spool: Spool;
  readonly limit: number | undefined;
  /** Sessions to ask, one after another. */
  readonly from: readonly (ProtocolSession | undefined)[];
  /** Of a worker's own script: a session of the worker. */
  readonly worker: ProtocolSession | undefined;
}

/** Asks for a body that has ended, in one piece. Where it cannot be had, what came of it until then stays. */
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
  body.end(pending.failure || (found.exact && found.bytes.length < pending.seen) ? 'partial' : 'complete');
  pending.body = body;
}

interface Found {
  readonly bytes: Buffer;
  /** Base64 is byte for byte; text may have been decoded. */
  readonly exact: boolean;
}

/**
 * The target may be gone: its page knows the body by the same id. What a service worker made never was in the network service:
 * only a session that keeps bodies in the renderer has it.
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
