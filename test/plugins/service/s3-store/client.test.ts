import { once } from 'node:events';
import { Readable } from 'node:stream';
import type { Outbound } from '@platen/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createClient, type S3Client } from '../../../../plugins/service/s3-store/src/client.js';
import { listObjects } from '../../../../plugins/service/s3-store/src/objects.js';
import { readXml } from '../../../../plugins/service/s3-store/src/read-xml.js';
import { readSettings } from '../../../../plugins/service/s3-store/src/settings.js';
import { upload } from '../../../../plugins/service/s3-store/src/upload.js';
import { openS3, type S3Server } from './s3-server.js';

let s3: S3Server;
let client: S3Client;
beforeAll(async () => {
  s3 = await openS3();
  ({ client } = s3);
});
afterEach(() => {
  s3.fault = undefined;
});
afterAll(() => s3[Symbol.asyncDispose]());

/** Each request gets the next response; the service gets those after the last. */
function respondWith(...responses: readonly { readonly status: number; readonly body?: string }[]): void {
  const left = [...responses];
  s3.fault = (request, response) => {
    const next = left.shift();
    if (next === undefined) return false;
    request.resume().on('end', () => response.writeHead(next.status).end(next.body));
    return true;
  };
}

const PUT = { method: 'PUT', key: 'a', body: Buffer.from('a'), sha256: 'UNSIGNED-PAYLOAD' } as const;

describe('a request', () => {
  it.each([429, 500, 503])('is repeated after status %i, three times in all', async (status) => {
    respondWith({ status }, { status });
    expect(await client.send(PUT)).toMatchObject({ status: 200 });
    respondWith({ status }, { status }, { status });
    await expect(client.send(PUT)).rejects.toMatchObject({ status });
  });

  it('is not repeated after another status, and its error names the code of the service', async () => {
    respondWith({ status: 400, body: '<Error><Code>InvalidRequest</Code><Message>no</Message></Error>' });
    await expect(client.send(PUT)).rejects.toThrow('the service responded with status 400 (InvalidRequest)');
  });

  it('ends with its signal, and with its time', async () => {
    s3.fault = () => true;
    const controller = new AbortController();
    const sending = client.send({ ...PUT, signal: controller.signal });
    controller.abort(new Error('left'));
    await expect(sending).rejects.toThrow('left');
    await expect(client.send({ ...PUT, timeoutMs: 20, attempts: 1 })).rejects.toThrow('did not respond within 20 ms');
    await expect(client.open('a', { timeoutMs: 20 })).rejects.toThrow('did not respond within 20 ms');
  });

  // A render that stores an asset is over after 30 s.
  it.each([
    { body: 0, ms: 10_000 },
    { body: 17_000, ms: 10_100 },
    { body: 8 * 1024 ** 2, ms: 59_345 },
  ])('of $body bytes has $ms ms for its response', async ({ body, ms }) => {
    const settings = readSettings(s3.flags);
    if (settings === undefined) throw new Error('no bucket is given');
    const times: unknown[] = [];
    const fetch: Outbound['fetch'] = (_url, { timeoutMs }) => {
      times.push(timeoutMs);
      return Promise.reject(new Error('sent'));
    };
    const timed = createClient(settings, { fetch, open: () => Promise.reject(new Error('opened')) });
    await expect(timed.send({ ...PUT, body: Buffer.alloc(body) })).rejects.toThrow('sent');
    expect(times).toEqual([ms]);
  });

  it('finds no object that does not exist, and rejects if the bucket does not', async () => {
    expect(await client.open('missing')).toBeUndefined();
    expect(await client.send({ method: 'HEAD', key: 'missing' })).toMatchObject({ status: 404 });
    respondWith({ status: 404, body: '<Error><Code>NoSuchBucket</Code></Error>' });
    await expect(client.send({ method: 'DELETE', key: 'a' })).rejects.toThrow('NoSuchBucket');
  });
});

it('a list is read page by page', async () => {
  const page = (key: string, more = '') =>
    `<ListBucketResult><Contents><Key>${key}</Key><LastModified>2026-11-24T10:00:00Z</LastModified><Size>3</Size></Contents>${more}</ListBucketResult>`;
  respondWith(
    { status: 200, body: page('a&amp;b', '<NextContinuationToken>1/a+b=</NextContinuationToken>') },
    { status: 200, body: page('c') },
  );
  const found = [];
  for await (const object of listObjects(client, 'p/')) found.push(object);
  const modifiedAt = Date.UTC(2026, 10, 24, 10);
  expect(found).toEqual([
    { key: 'a&b', bytes: 3, modifiedAt },
    { key: 'c', bytes: 3, modifiedAt },
  ]);
  expect(s3.requests.at(-1)).toBe('GET /renders?list-type=2&prefix=p%2F&continuation-token=1%2Fa%2Bb%3D');
});

it('an upload that the service completes with an error fails, and nothing remains', async () => {
  const failed = new Promise<void>((resolve) => {
    s3.fault = (request, response) => {
      if (request.method !== 'POST' || request.url?.includes('uploadId=') !== true) return false;
      request.resume().on('end', () => response.end('<Error><Code>InternalError</Code></Error>', resolve));
      return true;
    };
  });
  const source = Readable.from([Buffer.alloc(9 * 1024 ** 2)]);
  const uploading = upload(client, 'large', { source, signal: new AbortController().signal });
  await expect(uploading).rejects.toThrow('could not complete the upload (InternalError)');
  await failed;
  expect(await s3.keys()).not.toContain('large');
});

it('a body is read from the service at the speed of its reader', async () => {
  await upload(client, 'large', { source: Buffer.alloc(9 * 1024 ** 2), signal: new AbortController().signal });
  const object = await client.open('large');
  if (object === undefined) throw new Error('the object is not there');
  await once(object.body, 'readable');
  expect(object.body.readableLength).toBeLessThan(1024 ** 2);
  object.body.destroy();
});

describe('readSettings', () => {
  const flags = { 's3-store-bucket': 'b', 's3-store-access-key-id': 'id', 's3-store-secret-access-key': 'secret' };
  it.each([
    [{}, 'https://b.s3.us-east-1.amazonaws.com', ''],
    [{ 's3-store-region': 'eu-west-1', 's3-store-prefix': 'p/q' }, 'https://b.s3.eu-west-1.amazonaws.com', 'p/q/'],
    [{ 's3-store-endpoint': 'http://minio:9000/' }, 'http://minio:9000/b', ''],
  ])('%j', (more, bucketUrl, prefix) => {
    expect(readSettings({ ...flags, ...more })).toMatchObject({ bucketUrl, prefix });
  });
});

it.each(['', 'no XML', '<a><b>', '<html><br></html>'])('what is not XML has no elements: %j', (text) => {
  expect(readXml(text)).toEqual([]);
});
