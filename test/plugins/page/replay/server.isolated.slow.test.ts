import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli, type RunningServer, startServer } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { record } from '../../lib/archive/archive-files.js';

const MOST_BYTES = 12_000_000;

let server: RunningServer;
let url: string;
let asset: string;
let archive: Buffer;
beforeAll(async () => {
  server = await startServer(['--replay-max-bytes', String(MOST_BYTES)]);
  await using site = await openSite({ '/': '<h1>Once</h1>' });
  url = site.url('/');
  const response = await post({ url, output_type: 'txt', with_warc: true });
  const [, path = ''] = /<([^>]+)>/.exec(response.headers.get('link') ?? '') ?? [];
  archive = Buffer.from(await (await fetch(new URL(path, server.url))).arrayBuffer());
  asset = /([\w-]{22})/.exec(path)?.[1] ?? '';
});
afterAll(() => server[Symbol.asyncDispose]());

function post(params: Readonly<Record<string, unknown>> | FormData): Promise<Response> {
  if (params instanceof FormData) return fetch(server.url, { method: 'POST', body: params });
  return fetch(server.url, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(params) });
}

const dataUrl = (bytes: Buffer) => `data:;base64,${bytes.toString('base64')}`;

async function check(response: Response): Promise<void> {
  expect(await response.text()).toContain('Once');
  expect(response.headers.get('x-replay')).toMatch(/^hits=1; misses=0; at=\d{14}$/);
}

it('is of an asset, whose id may stand in a query', async () => {
  await check(await post({ url, output_type: 'txt', replay: `asset:${asset}` }));
  await check(await fetch(`${server.url}/?${String(new URLSearchParams({ url, output_type: 'txt', replay: `asset:${asset}` }))}`));
  expect(await (await post({ url, replay: 'asset:AAAAAAAAAAAAAAAAAAAAAA' })).json()).toMatchObject({ code: 'not_found', status: 404 });
});

it('is of a part of a form', async () => {
  const form = new FormData();
  form.append('url', url);
  form.append('output_type', 'txt');
  form.append('replay', new Blob([new Uint8Array(archive)]), 'site.warc');
  await check(await post(form));
});

it('is of a large body, within the limit of the server', async () => {
  const padded = (bytes: number) => dataUrl(Buffer.concat([archive, record({ type: 'metadata', http: '', body: Buffer.alloc(bytes) })]));
  await check(await post({ url, output_type: 'txt', replay: padded(9_000_000) }));
  expect(await (await post({ url, replay: padded(MOST_BYTES) })).json()).toMatchObject({ code: 'payload_too_large', status: 413 });
});

it('is of a file on the command line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  try {
    await writeFile(join(folder, 'site.warc'), archive);
    const { code, stdout, stderr } = await runCli([url, '-', '--output-type', 'txt', '--replay', './site.warc'], { cwd: folder });
    expect(code, stderr).toBe(0);
    expect(String(stdout)).toContain('Once');
    const gone = await runCli([url, '-', '--output-type', 'txt', '--replay', 'none.warc'], { cwd: folder });
    expect(gone.stderr).toContain('"replay" cannot be read: none.warc: there is no such file');
  } finally {
    await rm(folder, { recursive: true });
  }
});
