import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import S3rver from '@20minutes/s3rver';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import { createClient, type S3Client } from '../../../../plugins/service/s3-store/src/client.js';
import { listObjects } from '../../../../plugins/service/s3-store/src/objects.js';
import { readSettings, type StoreFlags } from '../../../../plugins/service/s3-store/src/settings.js';

/** Handles a request instead of the service if it returns true. */
type Fault = (request: IncomingMessage, response: ServerResponse) => boolean;

export interface S3Server extends AsyncDisposable {
  readonly url: string;
  /** `METHOD URL` of each request. */
  readonly requests: readonly string[];
  /** Flags of a server that uses it. */
  readonly flags: StoreFlags;
  readonly client: S3Client;
  fault: Fault | undefined;
  keys(): Promise<readonly string[]>;
  /** Files in which the service stores an object: the bytes and the metadata. */
  fileOf(key: string): string;
}

const BUCKET = 'renders';

/** An S3-compatible service on a free loopback port, with one bucket. It checks signatures. */
export async function openS3(): Promise<S3Server> {
  const directory = await mkdtemp(join(tmpdir(), 'platen-test-s3-'));
  const service = new S3rver({ directory, silent: true, configureBuckets: [{ name: BUCKET }] });
  await service.configureBuckets();
  const handle = service.callback();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(`${request.method ?? ''} ${request.url ?? ''}`);
    if (opened.fault?.(request, response) !== true) handle(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  const flags: StoreFlags = {
    's3-store-bucket': BUCKET,
    's3-store-endpoint': url,
    's3-store-prefix': 'platen/test',
    's3-store-access-key-id': 'S3RVER',
    's3-store-secret-access-key': 'S3RVER',
  };
  const client = openClient(flags);
  const opened: S3Server = {
    ...{ url, requests, flags, client, fault: undefined },
    async keys() {
      const keys: string[] = [];
      for await (const { key } of listObjects(client, '')) keys.push(key);
      return keys;
    },
    fileOf: (key) => join(directory, BUCKET, `${key}._S3rver_object`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await rm(directory, { recursive: true, force: true });
    },
  };
  return opened;
}

function openClient(flags: StoreFlags): S3Client {
  const settings = readSettings(flags);
  if (settings === undefined) throw new Error('no bucket is given');
  return createClient(settings, createOutbound({ addressFilters: [] }));
}
