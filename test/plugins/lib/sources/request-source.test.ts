import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createMemoryStore, OutboundError, type PublishedAsset } from '@platen/kernel';
import { loadRequestSource, type SourceOptions } from '@platen/lib-sources';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';

const BYTES = Buffer.from('an archive');
const never = new AbortController().signal;
let server: Server;
let origin: string;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://any.test');
    if (pathname === '/moved') response.writeHead(302, { location: '/file?key=secret' }).end();
    else if (pathname === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (pathname === '/file') response.end(BYTES);
    else if (pathname === '/endless') response.writeHead(200).write(Buffer.alloc(4096));
    else if (pathname === '/cut') response.writeHead(200, { 'content-length': 100 }).write('x', () => response.destroy());
    else response.writeHead(404).end();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  await writeFile(join(folder, 'site.warc'), BYTES);
});

afterAll(async () => {
  server.closeAllConnections();
  await new Promise((done) => server.close(done));
  await rm(folder, { recursive: true });
});

function options(more: Partial<SourceOptions> = {}): SourceOptions {
  const outbound = createOutbound({ addressFilters: [] });
  return { key: 'replay', maxBytes: 1000, signal: never, outbound, findAsset: () => Promise.resolve(undefined), ...more };
}

async function stored(): Promise<SourceOptions['findAsset']> {
  const store = createMemoryStore();
  const asset = await store.put({ name: 'output', contentType: 'application/warc', extension: 'warc' }, BYTES, never);
  const [published] = await store.publish([asset], () => 'site.warc');
  return (id) => Promise.resolve<PublishedAsset | 'expired' | undefined>(id === 'known' ? published : id === 'old' ? 'expired' : undefined);
}

describe('a source of a request', () => {
  it.each<readonly [string, () => string, string]>([
    ['a URL', () => `${origin}/file?key=secret`, '/file'],
    ['a URL that redirects', () => `${origin}/moved`, '/moved'],
    ['base64', () => `data:application/warc;base64,${BYTES.toString('base64')}`, 'the file of the request'],
    ['escaped text', () => 'data:,an%20archive', 'the file of the request'],
    ['an asset', () => 'asset:known', 'the asset '],
  ])('by %s is copied to a file, which is removed', async (_, source, name) => {
    const found = await loadRequestSource(source(), options({ findAsset: await stored() }));
    expect(await readFile(found.file)).toEqual(BYTES);
    expect(found).toMatchObject({ bytes: BYTES.length, sha256: createHash('sha256').update(BYTES).digest('hex') });
    expect(found.name).toContain(name);
    expect(found.name).not.toContain('secret');
    await found.remove();
    expect(existsSync(found.file)).toBe(false);
  });

  it('by a path of the caller is used where it is', async () => {
    const local = { resolveLocalPath: (path: string) => resolve(folder, path) };
    const found = await loadRequestSource('site.warc', options(local));
    expect(found).toMatchObject({ file: join(folder, 'site.warc'), bytes: BYTES.length });
    await found.remove();
    expect(existsSync(found.file)).toBe(true);
    await expect(loadRequestSource('none.warc', options(local))).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: '"replay" cannot be read: none.warc: there is no such file',
    });
    await expect(loadRequestSource('.', options(local))).rejects.toThrow('"replay" cannot be read: .: it is a folder');
    await expect(loadRequestSource('site.warc', options({ ...local, maxBytes: 1 }))).rejects.toMatchObject({
      code: 'payload_too_large',
      message: '"replay" is larger than 1 bytes: site.warc',
    });
  });

  it.each<readonly [string, string, Partial<SourceOptions>]>([
    ['/etc/passwd', 'invalid_parameters', {}],
    ['file:///etc/passwd', 'invalid_parameters', { resolveLocalPath: (path) => path }],
    ['ftp://files.test/a', 'invalid_parameters', {}],
    ['data:', 'invalid_parameters', {}],
    ['data:application/warc;base64,', 'invalid_parameters', {}],
    ['data:;base64,a*b', 'invalid_parameters', {}],
    ['asset:unknown', 'not_found', {}],
    ['asset:old', 'gone', {}],
    ['asset:known', 'payload_too_large', { maxBytes: 3 }],
    ['data:,four', 'payload_too_large', { maxBytes: 3 }],
    ['ORIGIN/file', 'payload_too_large', { maxBytes: 3 }],
    ['ORIGIN/endless', 'payload_too_large', { maxBytes: 3 }],
    ['ORIGIN/none', 'target_status', {}],
    ['ORIGIN/loop', 'target_unreachable', {}],
    ['ORIGIN/cut', 'target_unreachable', {}],
    ['http://127.0.0.1:1/', 'target_unreachable', {}],
  ])('%s is refused as %s, which names the parameter', async (source, code, more) => {
    const loading = loadRequestSource(source.replace('ORIGIN', origin), options({ findAsset: await stored(), ...more }));
    await expect(loading).rejects.toMatchObject({ code, message: expect.stringContaining('"replay"') as unknown });
  });

  it('of an empty file of a form is refused as empty', async () => {
    await expect(loadRequestSource('data:application/octet-stream;base64,', options())).rejects.toThrow('"replay" is empty');
  });

  it.each(['blocked', 'proxy'] as const)('says that the rules or the proxy stopped it: %s', async (reason) => {
    const open = () => Promise.reject(new OutboundError(reason, 'http://inside.test/ was not fetched'));
    const code = reason === 'blocked' ? 'target_blocked' : 'proxy_failed';
    await expect(loadRequestSource('http://inside.test/', options({ outbound: { open } }))).rejects.toMatchObject({ code });
  });

  it('ends with the signal', async () => {
    const stop = new AbortController();
    const loading = loadRequestSource(`${origin}/endless`, options({ signal: stop.signal, maxBytes: 1e6 }));
    stop.abort(new Error('the client is gone'));
    await expect(loading).rejects.toThrow('the client is gone');
  });
});
