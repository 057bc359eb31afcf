import type { IncomingMessage } from 'node:http';
import { Transform, type Readable } from 'node:stream';
import { createBrotliDecompress, createUnzip, type Unzip } from 'node:zlib';
import { PlatenError } from '@platen/kernel';
import { BODY_LIMIT } from '../service/body-limit.js';
import type { Share } from './body-budget.js';

/** Time limit from a request's first byte to its last. */
export const REQUEST_TIMEOUT_MS = 300_000;

/** A higher ratio only occurs in decompression bombs. Checked above the size of a body without storage. */
const MAX_RATIO = 100;
/** How often the progress of a body is checked. */
const PACE_MS = 20_000;
/** For fewer received bytes, the time limit of requests is sufficient. */
const PACED_FROM = 64 * 1024;

export interface MeterOptions {
  /** Maximum bytes, inflated. */
  readonly limit: number;
  /** Reserves memory for the bytes that were read. */
  readonly share: Share;
}

/**
 * The request's body as an inflated stream: it fails if the body is too large, inflates too far, comes too slowly, or finds no memory.
 * After it is destroyed, the rest of the request can still be read.
 */
export function meterBody(request: IncomingMessage, { limit, share }: MeterOptions): Readable {
  if (Number(request.headers['content-length']) > limit) throw tooLarge(limit);
  const inflater = inflaterOf(request.headers['content-encoding']);
  let length = 0;
  const isTooSlow = watchPace(request, () => inflater?.bytesWritten ?? length);
  const meter = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      length += bytes.length;
      try {
        if (length > limit) throw tooLarge(limit);
        if (inflater !== undefined && length > BODY_LIMIT && length > MAX_RATIO * inflater.bytesWritten) {
          throw new PlatenError('payload_too_large', `the body decompresses to more than ${String(MAX_RATIO)} times its length`);
        }
        share.grow(bytes.length);
        done(null, bytes);
      } catch (error) {
        done(error instanceof Error ? error : new Error(String(error)));
      }
    },
    destroy(error, done) {
      clearInterval(pace);
      request.unpipe();
      inflater?.destroy();
      done(error);
    },
  });
  const pace = setInterval(() => {
    if (isTooSlow() && length > PACED_FROM) {
      meter.destroy(new PlatenError('request_timeout', 'the body arrives too slowly: it would not be complete in time'));
    }
  }, PACE_MS);
  inflater?.once('error', (error) => meter.destroy(error));
  if (inflater === undefined) request.pipe(meter);
  else request.pipe(inflater).pipe(meter);
  return meter;
}

/**
 * To be called every `PACE_MS`. Returns whether the body, at the rate since the last call, would not be complete before the request's
 * deadline. If the length is unknown, the received bytes must at least double within the request's time limit, or grow by the number of
 * bytes that is not monitored.
 */
function watchPace({ headers }: IncomingMessage, wireBytes: () => number): () => boolean {
  const whole = headers['content-length'] === undefined ? undefined : Number(headers['content-length']);
  let leftMs = REQUEST_TIMEOUT_MS;
  let before = 0;
  return () => {
    const there = wireBytes();
    const came = there - before;
    before = there;
    leftMs -= PACE_MS;
    if (whole !== undefined) return came * leftMs < (whole - there) * PACE_MS;
    return came * REQUEST_TIMEOUT_MS < Math.min(there, PACED_FROM) * PACE_MS;
  };
}

const tooLarge = (limit: number): PlatenError => new PlatenError('payload_too_large', `the body is larger than ${String(limit)} bytes`);

function inflaterOf(coding = 'identity'): (Transform & Pick<Unzip, 'bytesWritten'>) | undefined {
  switch (coding.toLowerCase()) {
    case '':
    case 'identity':
      return undefined;
    case 'gzip':
    // RFC 9110, 8.4.1.3: equivalent to gzip.
    case 'x-gzip':
    case 'deflate':
      return createUnzip();
    case 'br':
      return createBrotliDecompress();
    default:
      throw new PlatenError('unsupported_media_type', 'the body\'s "Content-Encoding" must be gzip, deflate, br or identity');
  }
}
