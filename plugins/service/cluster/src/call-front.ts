import { once } from 'node:events';
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- the address comes from the operator's own queue, and the rules for pages refuse it
import { Agent as HttpAgent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
// eslint-disable-next-line @typescript-eslint/no-restricted-imports -- the same over TLS
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { withTimeout } from '@platen/kernel';
import type { JobData } from './queue.js';
import { JOBS_PATH, SECRET_HEADER, WAITED_HEADER } from './route.js';

/** How long a front may take to accept a worker, in milliseconds. */
const ACCEPT_MS = 10_000;
/** The front has the result, or has its own reason to refuse this attempt. */
const REFUSED = 409;

/** A connection carries one job at a time: closing it is the cancellation. After a whole result the next job has it. */
const PLAIN = { request: httpRequest, agent: new HttpAgent({ keepAlive: true }) };
const OVER_TLS = { request: httpsRequest, agent: new HttpsAgent({ keepAlive: true }) };

/** A connection to the front that waits for a job. */
export interface FrontConnection {
  /** Takes frames. */
  readonly request: ClientRequest;
  /** Aborted when the front closes the connection: no one waits for the result. */
  readonly signal: AbortSignal;
  readonly waitedMs: number;
  /** Resolves once the front has taken everything, or has closed the connection. */
  finished(): Promise<void>;
  close(): void;
}

/** Undefined if the front refuses this attempt. Rejects if the front cannot be reached. */
export async function callFront({ replyTo, secret }: JobData, id: string, attempt: number): Promise<FrontConnection | undefined> {
  const url = new URL(`${replyTo.replace(/\/$/, '')}${JOBS_PATH}/${id}/${String(attempt)}`);
  const { request: open, agent } = url.protocol === 'https:' ? OVER_TLS : PLAIN;
  const headers = { [SECRET_HEADER]: secret, 'transfer-encoding': 'chunked', 'content-type': 'application/octet-stream' };
  const call = (from: typeof agent | false) => accepted(open(url, { method: 'POST', agent: from, headers }));
  const first = await call(agent);
  // The front may close an idle connection just when it is used again (https://nodejs.org/api/http.html#requestreusedsocket).
  const isStale = first.response === undefined && first.isClosed && first.request.reusedSocket;
  const { request, response } = isStale ? await call(false) : first;
  if (response === undefined) throw new Error('the front that waits for the job is unreachable: check its --cluster-address');
  const { statusCode = 0 } = response;
  if (statusCode !== 200) {
    request.destroy();
    // The first call may have arrived: then the front waits for the next attempt.
    if (statusCode === REFUSED && !isStale) return undefined;
    const advice = '--cluster-address must lead to the front itself, whose --server-allowed-hosts must permit it';
    throw new Error(`the front at ${url.origin} responded with status ${String(statusCode)}: ${advice}`);
  }
  return follow(request, response);
}

interface Accepted {
  readonly request: ClientRequest;
  /** Undefined: the connection failed, and is closed. */
  readonly response: IncomingMessage | undefined;
  /** By the other side, or never opened. */
  readonly isClosed: boolean;
}

async function accepted(request: ClientRequest): Promise<Accepted> {
  request.flushHeaders();
  // For the whole life of the connection: its end is noticed by `close`.
  request.on('error', () => undefined);
  const arriving = new Promise<IncomingMessage>((resolve, reject) => {
    request.once('response', resolve).once('close', () => {
      reject(new Error('the connection was closed'));
    });
  });
  const response = await withTimeout(arriving, ACCEPT_MS).catch(() => undefined);
  const isClosed = request.destroyed;
  if (response === undefined) request.destroy();
  return { request, response, isClosed };
}

function follow(request: ClientRequest, response: IncomingMessage): FrontConnection {
  const controller = new AbortController();
  const over = once(response, 'close').then(
    () => undefined,
    () => undefined,
  );
  response.on('error', () => undefined).resume();
  response.once('close', () => {
    if (!response.complete) controller.abort(new Error('the front closed the connection'));
    request.destroy();
  });
  return {
    request,
    signal: controller.signal,
    waitedMs: Number(response.headers[WAITED_HEADER] ?? 0),
    finished: () => over,
    close() {
      request.destroy();
    },
  };
}
