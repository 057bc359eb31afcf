import { pipeline, type Readable, Transform } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { OutboundError, type Outbound, type OutboundResponse } from '@platen/kernel';
import { AwsV4Signer } from 'aws4fetch';
import { readXml } from './read-xml.js';
import type { Settings } from './settings.js';

/** A request to the service failed. Its message names no credentials. */
export class S3Error extends Error {
  override readonly name = 'S3Error';
  /** Of the response, if there was one. */
  readonly status: number | undefined;
  /** As sent by the service: `NoSuchBucket`. */
  readonly code: string | undefined;

  constructor(
    message: string,
    { status, code, cause }: { readonly status?: number; readonly code?: string | undefined; readonly cause?: unknown } = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.status = status;
    this.code = code;
  }
}

export interface S3Request {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE';
  /** Empty: the bucket itself. */
  readonly key: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** SHA-256 of the body in hex, which the service verifies. */
  readonly sha256?: string;
  readonly signal?: AbortSignal | undefined;
  /** For each attempt. Default: 10 s, and the time that the body takes on a slow line. */
  readonly timeoutMs?: number;
  readonly attempts?: number;
}

export interface S3Client {
  /** Resolves for status 2xx, and for 404 of an object that is not written. Rejects with an `S3Error`, or with the signal's reason. */
  send(request: S3Request): Promise<OutboundResponse>;
  /** The bytes of an object. Undefined if it does not exist. The connection ends with the stream, which is read or destroyed. */
  open(key: string, options?: OpenOptions): Promise<OpenObject | undefined>;
}

export interface OpenOptions {
  /** Both included. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly timeoutMs?: number;
}

export interface OpenObject {
  /** Of the body, by its header. */
  readonly bytes: number;
  readonly body: Readable;
}

/** SHA-256 of no bytes. */
const EMPTY = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';
/** For the response; a render with assets is to outlive a service that does not respond. */
const RESPONSE_MS = 10_000;
/** The slowest line on which a body is still sent: a part of 8 MiB in less than a minute. */
const SLOWEST_BYTES_PER_MS = 170;
const ATTEMPTS = 3;
const FIRST_WAIT_MS = 200;
/** Of a response other than an object's bytes: a list of 1,000 objects has less. */
const MAX_BYTES = 4 * 1024 ** 2;

export function createClient(settings: Settings, outbound: Pick<Outbound, 'fetch' | 'open'>): S3Client {
  const sign = createSigner(settings);
  return {
    async send(request) {
      const { attempts = ATTEMPTS, signal } = request;
      for (let count = 1; ; count += 1) {
        try {
          return await attempt(request, await sign(request), outbound);
        } catch (error) {
          signal?.throwIfAborted();
          if (count === attempts || !isRetryable(error)) throw toS3Error(error);
          await delay(FIRST_WAIT_MS * 2 ** (count - 1), undefined, signal === undefined ? {} : { signal });
        }
      }
    },
    async open(key, { range, timeoutMs = RESPONSE_MS } = {}) {
      const headers = range === undefined ? {} : { range: `bytes=${String(range.start)}-${String(range.end)}` };
      const signed = await sign({ method: 'GET', key, headers });
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort(new S3Error(`the service did not respond within ${String(timeoutMs)} ms`));
      }, timeoutMs);
      try {
        const options = { headers: signed.headers, namedByOperator: true, signal: late.signal };
        const { status, body, headers: received } = await outbound.open(signed.url, options);
        if (status === (range === undefined ? 200 : 206))
          return { bytes: Number(received['content-length'] ?? -1), body: failWhenIdle(body) };
        body.destroy();
        if (status === 404) return undefined;
        throw statusError({ status, body: Buffer.alloc(0) });
      } catch (error) {
        throw toS3Error(error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

interface Signed {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Signs requests by AWS Signature Version 4. */
function createSigner({ bucketUrl, region, credentials }: Settings): (request: S3Request) => Promise<Signed> {
  const cache = new Map<string, ArrayBuffer>();
  return async ({ method, key, query = {}, headers = {}, sha256 = EMPTY }) => {
    const url = new URL(key === '' ? bucketUrl : `${bucketUrl}/${key}`);
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
    const signer = new AwsV4Signer({
      ...credentials,
      method,
      region,
      url: url.href,
      service: 's3',
      cache,
      headers: { ...headers, 'x-amz-content-sha256': sha256 },
    });
    const signed = await signer.sign();
    return { url: signed.url.href, headers: Object.fromEntries(signed.headers) };
  };
}

async function attempt(request: S3Request, { url, headers }: Signed, outbound: Pick<Outbound, 'fetch'>): Promise<OutboundResponse> {
  const { method, body, signal, timeoutMs = RESPONSE_MS + Math.ceil((body?.length ?? 0) / SLOWEST_BYTES_PER_MS) } = request;
  const response = await outbound.fetch(url, {
    method,
    headers,
    timeoutMs,
    namedByOperator: true,
    maxRedirects: 0,
    maxBytes: MAX_BYTES,
    ...(body === undefined ? {} : { body }),
    ...(signal === undefined ? {} : { signal }),
  });
  if (isExpected(response, request)) return response;
  throw statusError(response);
}

/** A missing object is a result; a missing bucket is an error, except for HEAD, whose response does not name it. */
function isExpected({ status, body }: OutboundResponse, { key, method }: S3Request): boolean {
  if (status >= 200 && status < 300) return true;
  return status === 404 && key !== '' && method !== 'PUT' && method !== 'POST' && codeOf(body) !== 'NoSuchBucket';
}

function codeOf(body: Buffer): string | undefined {
  return readXml(body.toString()).find(({ name }) => name === 'Code')?.text;
}

function statusError({ status, body }: Pick<OutboundResponse, 'status' | 'body'>): S3Error {
  const code = codeOf(body);
  return new S3Error(`the service responded with status ${String(status)}${code === undefined ? '' : ` (${code})`}`, { status, code });
}

function isRetryable(error: unknown): boolean {
  if (error instanceof S3Error) return error.status !== undefined && (error.status >= 500 || error.status === 429);
  return error instanceof OutboundError && error.reason === 'unreachable';
}

function toS3Error(error: unknown): unknown {
  return error instanceof OutboundError ? new S3Error(error.message, { cause: error }) : error;
}

/** Time without a byte while the reader waits for one. A reader that does not read may take any time. */
const IDLE_MS = 30_000;

function failWhenIdle(body: Readable): Readable {
  let hasReceived = true;
  const watched = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hasReceived = true;
      done(null, chunk);
    },
  });
  const timer = setInterval(() => {
    const isWaiting = watched.readableLength === 0 && !watched.writableNeedDrain;
    if (isWaiting && !hasReceived) watched.destroy(new S3Error(`the service sent nothing for ${String(IDLE_MS)} ms`));
    hasReceived = false;
  }, IDLE_MS).unref();
  // It may fail before it is read; its reader gets the error.
  watched.on('error', () => undefined);
  return pipeline(body, watched, () => {
    clearInterval(timer);
  });
}
