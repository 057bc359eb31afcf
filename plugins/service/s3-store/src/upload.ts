import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { untilAborted } from '@platen/kernel';
import { S3Error, type S3Client } from './client.js';
import { sha256Of } from './objects.js';
import { readXml } from './read-xml.js';

/** At least 5 MiB, and at most 10,000 parts. Two of them are in memory: one is sent while the next is read. */
const PART_BYTES = 8 * 1024 ** 2;
const MAX_PARTS = 10_000;
/** The error is not to wait long for a service that does not respond. */
const CLEANUP = { timeoutMs: 5_000, attempts: 1 } as const;

export interface Uploaded {
  readonly bytes: number;
  /** Hex. */
  readonly sha256: string;
}

interface Part {
  readonly body: Buffer;
  readonly sha256: string;
}

/**
 * Uploads a body of any length at bounded memory: small ones by one request, others in parts. The object appears complete or not at all.
 * Rejects with the source's error, an `S3Error` or the signal's reason; then nothing remains, as far as the service can be reached.
 */
export async function upload(client: S3Client, key: string, { source, signal }: UploadOptions): Promise<Uploaded> {
  const whole = createHash('sha256');
  let bytes = 0;
  const parts = readParts(source, (chunk) => {
    whole.update(chunk);
    bytes += chunk.length;
  });
  try {
    const first = await next(parts, signal);
    if (first === undefined || first.body.length < PART_BYTES) await putWhole(client, key, { part: first, signal });
    else await putParts(client, key, { first, parts, signal });
  } catch (error) {
    if (source instanceof Readable) source.destroy();
    throw error;
  }
  return { bytes, sha256: whole.digest('hex') };
}

export interface UploadOptions {
  readonly source: Buffer | Readable;
  readonly signal: AbortSignal;
}

type Parts = AsyncGenerator<Part, undefined>;

async function next(parts: Parts, signal: AbortSignal): Promise<Part | undefined> {
  return (await untilAborted(parts.next(), signal)).value;
}

async function putWhole(
  client: S3Client,
  key: string,
  { part, signal }: { readonly part: Part | undefined; readonly signal: AbortSignal },
): Promise<void> {
  try {
    await client.send({ method: 'PUT', key, signal, ...(part ?? { body: Buffer.alloc(0) }) });
  } catch (error) {
    // The service may have stored it without a response.
    await client.send({ method: 'DELETE', key, ...CLEANUP }).catch(() => undefined);
    throw error;
  }
}

interface PartsOptions {
  readonly first: Part;
  readonly parts: Parts;
  readonly signal: AbortSignal;
}

async function putParts(client: S3Client, key: string, { first, parts, signal }: PartsOptions): Promise<void> {
  const started = await client.send({ method: 'POST', key, query: { uploads: '' }, signal });
  const uploadId = readXml(started.body.toString()).find(({ name }) => name === 'UploadId')?.text;
  if (uploadId === undefined) throw new S3Error('the service started no multipart upload');
  const etags: string[] = [];
  const send = async (part: Part, number: number) => {
    if (number > MAX_PARTS) throw new S3Error(`the body has more than ${String(MAX_PARTS * PART_BYTES)} bytes`);
    const { headers } = await client.send({ method: 'PUT', key, query: { partNumber: String(number), uploadId }, signal, ...part });
    etags.push(headers['etag'] ?? '');
  };
  try {
    for (let part: Part | undefined = first, number = 1; part !== undefined; number += 1) {
      const sending: Promise<void> = send(part, number);
      sending.catch(() => undefined);
      part = await next(parts, signal);
      await sending;
    }
    await complete(client, key, { uploadId, etags, signal });
  } catch (error) {
    await client.send({ method: 'DELETE', key, query: { uploadId }, ...CLEANUP }).catch(() => undefined);
    await client.send({ method: 'DELETE', key, ...CLEANUP }).catch(() => undefined);
    throw error;
  }
}

/** The service joins the parts before it responds. */
const COMPLETION_MS = 60_000;

interface Completion {
  readonly uploadId: string;
  readonly etags: readonly string[];
  readonly signal: AbortSignal;
}

async function complete(client: S3Client, key: string, { uploadId, etags, signal }: Completion): Promise<void> {
  const body = listParts(etags);
  const { body: answer } = await client.send({
    method: 'POST',
    key,
    query: { uploadId },
    signal,
    timeoutMs: COMPLETION_MS,
    body,
    sha256: sha256Of(body),
  });
  // The service may send status 200 before it fails.
  const code = readXml(answer.toString()).find(({ name }) => name === 'Code')?.text;
  if (code !== undefined) throw new S3Error(`the service could not complete the upload (${code})`, { code });
}

function listParts(etags: readonly string[]): Buffer {
  const parts = etags.map((etag, at) => `<Part><PartNumber>${String(at + 1)}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`);
  return Buffer.from(`<CompleteMultipartUpload>${parts.join('')}</CompleteMultipartUpload>`);
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** Parts of the same size; the last one may be smaller, and none is empty. */
async function* readParts(source: Buffer | Readable, onChunk: (chunk: Buffer) => void): Parts {
  let chunks: Buffer[] = [];
  let size = 0;
  let hash = createHash('sha256');
  const take = (): Part => {
    const part = { body: Buffer.concat(chunks), sha256: hash.digest('hex') };
    [chunks, size, hash] = [[], 0, createHash('sha256')];
    return part;
  };
  for await (const given of Buffer.isBuffer(source) ? [source] : (source as AsyncIterable<Buffer | string>)) {
    const chunk = typeof given === 'string' ? Buffer.from(given) : given;
    for (let at = 0; at < chunk.length;) {
      const piece = chunk.subarray(at, at + PART_BYTES - size);
      at += piece.length;
      size += piece.length;
      onChunk(piece);
      hash.update(piece);
      chunks.push(piece);
      if (size === PART_BYTES) yield take();
    }
  }
  if (size > 0) yield take();
  return undefined;
}
