import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { silentLogger, type Logger, type RenderOptions, type RenderPlan, NO_ASSETS } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import cache from '@platen/plugin-cache';
import egress from '@platen/plugin-egress';
import s3Store from '@platen/plugin-s3-store';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { checkServices } from '../../../../server/src/doctor/index.js';
import { until } from '../../../helpers/until.js';
import { openServer, rendered, type FakeRender, type TestServer } from '../../../server/test-server.js';
import { openS3, type S3Server } from './s3-server.js';

let s3: S3Server;
beforeAll(async () => {
  s3 = await openS3();
});
afterEach(async () => {
  s3.fault = undefined;
  for (const key of await s3.keys()) await s3.client.send({ method: 'DELETE', key });
});
afterAll(() => s3[Symbol.asyncDispose]());

const PAGE = 'url=http://a.test/';
const HAR = { name: 'har', contentType: 'application/json', extension: 'har' };
const REFUSED: S3Server['fault'] = (_request, response) => {
  response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
  return true;
};

/** Stores an asset as the kernel does. */
const withAsset: FakeRender = async (plan: RenderPlan, options: RenderOptions) => {
  const result = await rendered(plan, options);
  const { store, signal = new AbortController().signal } = options;
  if (store === undefined) return result;
  try {
    return { ...result, assets: { kept: [await store.put(HAR, Buffer.from('a log'), signal)], missing: [] } };
  } catch (error) {
    return { ...result, assets: { ...NO_ASSETS, missing: [{ name: 'har', reason: error instanceof Error ? error.message : '' }] } };
  }
};

async function open(
  flags: Readonly<Record<string, unknown>> = {},
  log: Logger = silentLogger,
): Promise<TestServer & { renders(): number }> {
  let count = 0;
  const render: FakeRender = (plan, options) => {
    count += 1;
    return withAsset(plan, options);
  };
  const server = await openServer({ plugins: [s3Store, cache, egress], flags: { ...s3.flags, ...flags }, render, log });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { ...server, renders: () => count };
}

const assetOf = (server: TestServer, response: Response) =>
  `${server.url}${/<([^>]+)>/.exec(response.headers.get('link') ?? '')?.[1] ?? ''}`;

it('two servers share assets and cached results, with --block-private-ips, and leave nothing on their disks', async () => {
  const flags = { 'server-cache': true, 'block-private-ips': true };
  const [one, two] = [await open(flags), await open(flags)];
  const first = await one.get(PAGE);
  expect([first.headers.get('cache-status'), await first.text()]).toEqual(['platen; fwd=uri-miss; stored', 'a png']);
  await until(async () => (await s3.keys()).length === 3);
  const hit = await two.get(PAGE);
  expect([hit.headers.get('cache-status')?.slice(0, 11), await hit.text(), two.renders()]).toEqual(['platen; hit', 'a png', 0]);
  for (const response of [first, hit]) {
    const asset = await fetch(assetOf(two, response), { headers: { range: 'bytes=2-4' } });
    expect([asset.status, await asset.text()]).toEqual([206, 'log']);
  }
  expect((await two.get(PAGE, { method: 'DELETE' })).status).toBe(204);
  expect((await one.get(PAGE)).headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
});

it('a directory of --server-cache takes precedence for cached results', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const server = await open({ 'server-cache': folder });
  expect((await server.get(PAGE)).headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
  expect((await s3.keys()).filter((key) => key.includes('/results/'))).toEqual([]);
});

describe('while the service fails', () => {
  it.each<[string, S3Server['fault']]>([
    ['with 403', REFUSED],
    [
      'by closing connections',
      ({ socket }) => {
        socket.destroy();
        return true;
      },
    ],
  ])('%s, renders succeed without asset and cache, and the next request works', async (_how, fault) => {
    const warn = vi.fn<Logger['warn']>();
    const log: Logger = { ...silentLogger, warn, child: () => log };
    const server = await open({ 'server-cache': true }, log);
    s3.fault = fault;
    const failed = await server.get(PAGE);
    expect([failed.status, await failed.text(), failed.headers.get('x-missing-assets')]).toEqual([
      200,
      'a png',
      'har;reason="the asset store is unavailable"',
    ]);
    const asset = await fetch(`${server.url}/assets?id=${'A'.repeat(22)}`);
    expect([asset.status, await asset.json()]).toEqual([503, expect.objectContaining({ detail: 'the asset store is unavailable' })]);
    expect(warn.mock.calls.map(([, text]) => text)).toContain('the cache could not be read');
    expect(inspect(warn.mock.calls, { depth: 10 })).not.toContain('S3RVER');
    s3.fault = undefined;
    const next = await server.get(PAGE);
    expect(next.headers.get('cache-status')).toBe('platen; fwd=uri-miss; stored');
    expect(await (await fetch(assetOf(server, next))).text()).toBe('a log');
  });

  it('between the storage of an asset and its publication, the asset is missing and the render succeeds', async () => {
    const server = await open();
    s3.fault = (request, response) => request.url?.endsWith('.json') === true && REFUSED(request, response);
    const failed = await server.get(PAGE);
    expect([failed.status, failed.headers.get('link'), failed.headers.get('x-missing-assets')]).toEqual([
      200,
      null,
      'har;reason="the asset store is unavailable"',
    ]);
  });
});

describe('a start', () => {
  it.each([
    ['without the service', { 's3-store-endpoint': 'http://127.0.0.1:1' }, 'check --s3-store-endpoint'],
    ['without the bucket', { 's3-store-bucket': 'missing' }, '(NoSuchBucket); create the bucket, or correct --s3-store-bucket'],
    ['with a wrong secret', { 's3-store-secret-access-key': 'canary' }, 'check --s3-store-access-key-id and --s3-store-secret-access-key'],
  ])('%s fails and names the flag', async (_what, flags, advice) => {
    const message = expect.stringMatching(/^--s3-store-bucket: the bucket ".*" at http:\/\/127\.0\.0\.1:\d+ cannot be used: /);
    const failed = open(flags);
    await expect(failed).rejects.toMatchObject({ code: 'boot_source_unavailable', message });
    await expect(failed).rejects.toThrow(advice);
    await expect(failed).rejects.not.toThrow('canary');
  });

  it('without credentials fails and names their flag', async () => {
    await expect(open({ 's3-store-access-key-id': undefined })).rejects.toThrow('--s3-store-bucket requires --s3-store-access-key-id');
  });

  it('with other flags and no bucket warns and stores on the disk', async () => {
    const warn = vi.fn<Logger['warn']>();
    const log: Logger = { ...silentLogger, warn, child: () => log };
    const server = await open({ 's3-store-bucket': undefined }, log);
    expect(warn.mock.calls.map(([, text]) => text).join()).toContain('has no effect without --s3-store-bucket');
    expect(await (await fetch(assetOf(server, await server.get(PAGE)))).text()).toBe('a log');
    expect(await s3.keys()).toEqual([]);
  });
});

it.each([
  ['works', {}, { state: 'ok', text: expect.stringMatching(/^bucket "renders": listed, written and deleted in \d+ ms$/) }],
  ['fails', { 's3-store-bucket': 'missing' }, { state: 'missing', text: expect.stringContaining('NoSuchBucket') }],
])('platen doctor reports a bucket that %s', async (_what, more, finding) => {
  const flags = { ...s3.flags, ...more };
  await using host = createTestKernel({ plugins: [s3Store], flags });
  expect(await checkServices(host.kernel, flags)).toMatchObject([{ id: 'bucket', facts: { flag: 's3-store-bucket' }, ...finding }]);
  expect(await s3.keys()).toEqual([]);
});
