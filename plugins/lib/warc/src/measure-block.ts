import { createHash } from 'node:crypto';
import type { ArchivedBody } from './exchange.js';

/** A record's block: a head that is in memory, and a body that may be too large for that. */
export interface MeasuredBlock {
  readonly bytes: number;
  /** `sha256:` and 64 hex digits. */
  readonly blockDigest: string;
  /** Of the body alone. */
  readonly payloadDigest: string;
  /** The whole block, if it is small. */
  readonly whole: Buffer | undefined;
  chunks(): AsyncIterable<Buffer>;
}

/** Bodies up to this size are read once. */
const SMALL_BYTES = 64 * 1024;

/**
 * Reads the body, if there is one, to hash the block.
 *
 * @throws an error of the body's stream, or if it does not have the length that it states
 */
export async function measureBlock(head: Buffer, body?: ArchivedBody): Promise<MeasuredBlock> {
  const isSmall = body === undefined || body.bytes <= SMALL_BYTES;
  const known = body?.state === 'complete' ? body.sha256 : undefined;
  const block = createHash('sha256').update(head);
  const payload = known === undefined ? createHash('sha256') : undefined;
  const chunks = [head];
  for await (const chunk of body ? read(body) : []) {
    block.update(chunk);
    payload?.update(chunk);
    if (isSmall) chunks.push(chunk);
  }
  return {
    bytes: head.length + (body?.bytes ?? 0),
    blockDigest: `sha256:${block.digest('hex')}`,
    payloadDigest: `sha256:${payload?.digest('hex') ?? known ?? ''}`,
    whole: isSmall ? Buffer.concat(chunks) : undefined,
    async *chunks() {
      yield* chunks;
      if (body && !isSmall) yield* read(body);
    },
  };
}

async function* read(body: ArchivedBody): AsyncGenerator<Buffer> {
  let bytes = 0;
  // Not in object mode: the chunks are Buffers.
  for await (const chunk of body.open() as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    yield chunk;
  }
  if (bytes !== body.bytes) throw new Error(`a body has ${String(bytes)} bytes instead of ${String(body.bytes)}`);
}
