import { createHash } from 'node:crypto';
import type { S3Client, S3Request } from './client.js';
import { readXml } from './read-xml.js';

export interface ListedObject {
  readonly key: string;
  readonly bytes: number;
  /** By the service's clock, in milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** Removals that run concurrently. */
const AT_ONCE = 8;

export type ObjectOptions = Pick<S3Request, 'signal' | 'timeoutMs' | 'attempts'>;

/** Size in bytes; undefined if the object does not exist. */
export async function sizeOf(client: S3Client, key: string, options: ObjectOptions = {}): Promise<number | undefined> {
  const { status, headers } = await client.send({ method: 'HEAD', key, ...options });
  return status === 404 ? undefined : Number(headers['content-length']);
}

export async function putObject(client: S3Client, key: string, { body, ...options }: PutOptions): Promise<void> {
  await client.send({ method: 'PUT', key, body, sha256: sha256Of(body), ...options });
}

export interface PutOptions extends ObjectOptions {
  readonly body: Buffer;
}

/** Hex. */
export function sha256Of(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

export async function removeObject(client: S3Client, key: string): Promise<void> {
  await client.send({ method: 'DELETE', key });
}

export async function removeObjects(client: S3Client, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += AT_ONCE) {
    await Promise.all(keys.slice(at, at + AT_ONCE).map((key) => removeObject(client, key)));
  }
}

/** All objects whose keys have the prefix (ListObjectsV2), in pages of 1,000. */
export async function* listObjects(client: S3Client, prefix: string, signal?: AbortSignal): AsyncGenerator<ListedObject> {
  for (let token: string | undefined, isFirst = true; isFirst || token !== undefined; isFirst = false) {
    const query = { 'list-type': '2', prefix, ...(token === undefined ? {} : { 'continuation-token': token }) };
    const { body } = await client.send({ method: 'GET', key: '', query, signal });
    const leaves = readXml(body.toString());
    token = leaves.find(({ name }) => name === 'NextContinuationToken')?.text;
    let key = '';
    let modifiedAt = 0;
    // Keys come first, sizes last.
    for (const { name, text } of leaves) {
      if (name === 'Key') key = text;
      if (name === 'LastModified') modifiedAt = Date.parse(text);
      if (name === 'Size') yield { key, modifiedAt, bytes: Number(text) };
    }
  }
}

/** Whether the credentials can list, write and delete. Rejects with the service's error. */
export async function probeBucket(client: S3Client, key: string, options: ObjectOptions): Promise<void> {
  await client.send({ method: 'GET', key: '', query: { 'list-type': '2', 'max-keys': '1', prefix: key }, ...options });
  await putObject(client, key, { body: Buffer.from('platen\n'), ...options });
  await client.send({ method: 'DELETE', key, ...options });
}
