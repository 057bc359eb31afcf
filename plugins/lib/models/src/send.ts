import { setTimeout as delay } from 'node:timers/promises';
import { limitSignal, OutboundError, readRetryAfter, type Outbound } from '@platen/kernel';
import type { Connection, HttpRoute } from './connection.js';
import { errorTextAt, memberAt, ModelFailure, type WireCall, type WireReply } from './wire.js';

/** Attempts of one call. */
const MAX_ATTEMPTS = 3;
const FIRST_WAIT_MS = 500;
/** Of a response. */
const MAX_BYTES = 16 * 1024 * 1024;
/** Characters of an error that are read. */
const MAX_ERROR = 65_536;
/** Characters of an error that are logged and returned. */
const MAX_SAID = 500;
const DEFAULT_RETRYABLE: ReadonlySet<number> = new Set([408, 429]);

export interface SendParts {
  readonly outbound: Pick<Outbound, 'fetch'>;
  readonly connection: Connection;
  readonly namedByOperator: boolean;
  readonly signal: AbortSignal;
  /** By performance.now(). */
  readonly deadlineAt: number;
  /** Called before each wait for another attempt. */
  readonly onRetry: (failure: ModelFailure, waitMs: number) => void;
}

/** Sends a call, with retries within the time. Rejects with a `ModelFailure`, or with the signal's reason. */
export async function sendCall(call: WireCall, parts: SendParts): Promise<WireReply> {
  const { signal, deadlineAt, onRetry } = parts;
  for (let attempt = 1; ; attempt++) {
    signal.throwIfAborted();
    try {
      return await attemptCall(call, parts);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ModelFailure) || !error.retryable || attempt === MAX_ATTEMPTS) throw error;
      const waitMs = error.retryAfter === undefined ? jitter(FIRST_WAIT_MS * 2 ** (attempt - 1)) : error.retryAfter * 1000;
      if (performance.now() + waitMs >= deadlineAt) throw error;
      onRetry(error, waitMs);
      await delay(waitMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Renders that a provider has refused together do not return together. */
function jitter(ms: number): number {
  return ms * (0.75 + Math.random() / 2);
}

function attemptCall(call: WireCall, parts: SendParts): Promise<WireReply> {
  const { connection, deadlineAt } = parts;
  // `fetch` accepts integers only.
  const timeoutMs = Math.max(1, Math.ceil(deadlineAt - performance.now()));
  const { route } = connection;
  return 'path' in route ? sendLocally(route, call, { ...parts, timeoutMs }) : post(route, call, { ...parts, timeoutMs });
}

type Attempt = SendParts & { readonly timeoutMs: number };

async function sendLocally(
  { wire, path }: Extract<Connection['route'], { path: string }>,
  call: WireCall,
  { signal, timeoutMs }: Attempt,
): Promise<WireReply> {
  using limit = limitSignal(signal, timeoutMs);
  try {
    return await wire.send({ ...call, path }, limit.signal);
  } catch (error) {
    if (limit.isUp) throw new ModelFailure(NO_RESPONSE);
    throw error;
  }
}

const NO_RESPONSE = 'did not respond in time';

async function post({ wire, base, authorize }: HttpRoute, call: WireCall, attempt: Attempt): Promise<WireReply> {
  const { outbound, namedByOperator, timeoutMs, signal } = attempt;
  const response = await outbound
    .fetch(base + wire.path(call), {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json', ...wire.headers, ...authorize() },
      body: JSON.stringify(wire.encode(call)),
      maxRedirects: 0,
      maxBytes: MAX_BYTES,
      timeoutMs,
      signal,
      namedByOperator,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? connectionFailure(error) : error;
    });
  const said = (body: unknown) => clean(errorTextAt(body), attempt);
  if (response.status === 200) return decode(response.body, wire, said);
  const text = response.body.toString();
  throw statusFailure(response.status, { retryAfter: response.headers['retry-after'], said: said(parse(text) ?? { error: text }) });
}

/** A provider's text in one line, without the key, parts of it, or the host of the operator's model. A page of HTML says nothing. */
function clean(text: string | undefined, { connection, namedByOperator }: Attempt): string | undefined {
  if (text === undefined || /^\s*</.test(text)) return undefined;
  const { redact, route } = connection;
  const redacted = redact(text.slice(0, MAX_ERROR)).replace(/\S*\*{3}\S*/g, '***');
  const hidden = namedByOperator && 'base' in route ? redacted.replaceAll(new URL(route.base).hostname, '***') : redacted;
  return (
    hidden
      .replace(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, MAX_SAID) || undefined
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Without the causes, since messages of parsers quote the text. */
function decode(body: Buffer, wire: HttpRoute['wire'], readError: (body: unknown) => string | undefined): WireReply {
  const parsed = parse(body.toString());
  if (parsed === undefined) throw new ModelFailure('sent a response that is not JSON', { retryable: true });
  // Gateways whose own provider has failed.
  for (const part of [parsed, memberAt(parsed, 'choices', 0)]) {
    const error = memberAt(part, 'error');
    if (error !== undefined && error !== null && error !== '')
      throw statusFailure(readStatus(memberAt(error, 'code')), { said: readError({ error }) });
  }
  try {
    return wire.decode(parsed);
  } catch {
    throw new ModelFailure('sent a response of an unknown form');
  }
}

/** NaN for what is no status of an error, such as null or `rate_limit`. */
function readStatus(code: unknown): number {
  return /^[45]\d\d$/.test(String(code)) ? Number(code) : Number.NaN;
}

/** The messages contain the URL, which is for the log only. */
function connectionFailure(cause: OutboundError): ModelFailure {
  switch (cause.reason) {
    case 'blocked':
      return new ModelFailure('has an address that the rules of this server refuse', {
        blockedBy: cause.cause instanceof Error ? cause.cause.message : 'a rule of this server refuses its address',
        cause,
      });
    case 'unreachable':
      return new ModelFailure('could not be reached, or closed the connection', { retryable: true, cause });
    case 'timeout':
      return new ModelFailure(NO_RESPONSE, { cause });
    case 'too_large':
      return new ModelFailure('sent a response that is too long', { cause });
    default:
      return new ModelFailure('sent a response that is not valid HTTP', { cause });
  }
}

/** @param status NaN for a response with status 200 whose error has none */
function statusFailure(
  status: number,
  { retryAfter, said }: { readonly retryAfter?: string | undefined; readonly said: string | undefined },
): ModelFailure {
  const retryable = DEFAULT_RETRYABLE.has(status) || status >= 500;
  const what = Number.isNaN(status) ? 'sent a response with an error' : `responded with status ${String(status)}`;
  // What is said about a wrong key may be a secret, too.
  const quoted = said === undefined || status === 401 || status === 403 ? '' : `: ${said}`;
  return new ModelFailure(what + (HINTS[status] ?? '') + quoted, { retryable, retryAfter: readRetryAfter(retryAfter), said });
}

const HINTS: Readonly<Record<number, string>> = {
  400: ': check the model and its options',
  401: ': check the key',
  403: ': check the key',
  404: ': check the host, the path and the model',
  429: ' (too many requests)',
};
