import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { definePlugin, silentLogger } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import download from '@platen/plugin-download';
import pixels from '@platen/plugin-screenshot';
import png from '@platen/plugin-png';
import wait from '@platen/plugin-wait';
import { createServer } from '@platen/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Site } from '../../../helpers/site.js';
import { until } from '../../../helpers/until.js';
import { BINARY, CSV, openDownloadSite, TEXT } from './download-site.js';

/** An output for which 1 MiB is too large. */
const small = definePlugin({
  name: 'test-small',
  requires: ['download'],
  outputs: [
    { type: 'small', from: 'download', contentType: 'application/octet-stream', extension: 'bin', captureOptions: { maxBytes: 2 ** 20 } },
  ],
  apply({ hooks }) {
    hooks.encode
      .for('small')
      .tapPromise('test-small', ({ contentType, data }) => Promise.resolve({ contentType, extension: 'bin', body: data }));
  },
});

const host = createTestKernel({ plugins: [download, small, pixels, png, wait] });
let site: Site;
beforeAll(async () => {
  site = await openDownloadSite();
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

async function fetchFile(path: string, params: object = {}) {
  const url = path.startsWith('data:') ? path : site.url(path);
  const { output, bytes } = await host.render({ url, output_type: 'download', ...params });
  return { output, body: await bytes() };
}

async function listProfiles(): Promise<readonly string[]> {
  const names = await readdir(tmpdir());
  return names.filter((name) => name.startsWith(`platen-${String(process.pid)}-`)).map((name) => join(tmpdir(), name));
}

/** Files that were downloaded, of all browsers of this process. */
async function downloadedFiles(): Promise<readonly string[]> {
  const lists = await Promise.all((await listProfiles()).map((profile) => readdir(join(profile, 'downloads')).catch(() => [])));
  return lists.flat();
}

const nothingIsLeft = async () => {
  await until(async () => (await downloadedFiles()).length === 0);
  expect(host.kernel.status()).toMatchObject({ busy: 0 });
};

const ATTACHMENT = {
  output: { contentType: 'text/csv;header=present', filename: 'Preise €.csv', extension: 'csv' },
  body: Buffer.from(CSV),
};

describe('a target that is a download', () => {
  it('comes with its bytes, its name and its type', async () => {
    expect(await fetchFile('/attachment')).toMatchObject(ATTACHMENT);
  });

  it('comes byte for byte', async () => {
    const { output, body } = await fetchFile('/program.bin');
    expect(output).toMatchObject({ contentType: 'application/octet-stream', filename: 'program.bin', extension: 'bin' });
    expect(body.equals(BINARY)).toBe(true);
  });

  it.each([
    ['/inline.html', 'text/html', 'inline.html', '<p>not shown'],
    ['/packed', 'text/plain', 't.txt', TEXT],
    ['/empty', 'text/csv', 'empty.csv', ''],
    ['/moved', 'text/csv;header=present', 'Preise €.csv', CSV],
    ['data:application/zip;base64,UEs=', 'application/zip', 'download.zip', 'PK'],
  ])('%s is %s, %s', async (path, contentType, filename, text) => {
    const { output, body } = await fetchFile(path);
    expect(output).toMatchObject({ contentType, filename });
    expect(body.toString()).toBe(text);
  });

  it('has a name without paths', async () => {
    const { output } = await fetchFile('/hostile');
    expect(output.filename).not.toMatch(/[/\\\r\n]/);
  });
});

describe('a page that begins a download', () => {
  it.each(['/click', '/location', '/on-load', '/frame', '/foreign-frame', '/popup'])('%s', async (path) => {
    expect(await fetchFile(path)).toMatchObject(ATTACHMENT);
  });

  it.each([
    ['/click-attribute', 'text/plain', 'Notizen ä.txt', TEXT],
    ['/click-blob', 'application/json', 'blob.json', 'blobbed'],
    ['/click-special', 'text/x-special;charset=x', 'special.bin', TEXT],
    ['/click-typed-blob', 'text/x-blob', 'blob.bin', 'blobbed'],
    ['/click-data', 'text/x-own;charset=utf-8', 'data.own', 'hello'],
  ])('%s, of type %s', async (path, contentType, filename, text) => {
    const { output, body } = await fetchFile(path);
    expect(output).toMatchObject({ contentType, filename });
    expect(body.toString()).toBe(text);
  });

  it('within its wait condition, which a download ends', async () => {
    expect(await fetchFile('/later', { wait_for: 'css:#nowhere' })).toMatchObject(ATTACHMENT);
  });

  it('several times gives the first', async () => {
    expect(await fetchFile('/several')).toMatchObject(ATTACHMENT);
    await nothingIsLeft();
  });
});

describe('what is no download', () => {
  it.each(['/page', 'data:text/html,page'])('a target that is a page is a 422 that says so: %s', async (path) => {
    await expect(fetchFile(path)).rejects.toMatchObject({ code: 'not_a_download', status: 422, message: expect.stringContaining('page') });
  });

  it.each([
    ['/text', 'text/plain'],
    ['/picture', 'image/png'],
    ['data:application/json,{}', 'application/json'],
  ])('a target that is shown and runs no script is a 422 that says of what type it is: %s', async (path, type) => {
    const failing = fetchFile(path).catch((error: unknown) => error);
    expect(await failing).toMatchObject({ code: 'not_a_download', status: 422, message: expect.stringContaining(type) });
    expect(await failing).not.toMatchObject({ message: expect.stringContaining('wait_for') });
  });

  it.each(['/gone', '/gone-program'])('a file that comes with a 404 is a 502 target_status: %s', async (path) => {
    const target = { url: site.url(path), status: 404 };
    await expect(fetchFile(path)).rejects.toMatchObject({ code: 'target_status', status: 502, details: { target } });
  });

  it('a page that is a 404 is one with "fail=false" too', async () => {
    await expect(fetchFile('/gone-page', { fail: false })).rejects.toMatchObject({ code: 'not_a_download' });
    await expect(fetchFile('/gone-page')).rejects.toMatchObject({ code: 'target_status' });
  });

  it('an answer without content', async () => {
    await expect(fetchFile('/no-content')).rejects.toMatchObject({
      code: 'target_not_page',
      message: expect.stringContaining('without content'),
    });
  });
});

describe('a download that does not come to its end', () => {
  it('breaks off: a 502, and never half a file', async () => {
    await expect(fetchFile('/cut')).rejects.toMatchObject({ code: 'target_unreachable', status: 502 });
    await nothingIsLeft();
  });

  it('is too large', async () => {
    await expect(fetchFile('/program.bin', { output_type: 'small' })).rejects.toMatchObject({
      code: 'download_too_large',
      status: 422,
      message: expect.stringContaining('1048576'),
    });
    await nothingIsLeft();
    expect((await fetchFile('/attachment', { output_type: 'small' })).body.toString()).toBe(CSV);
  });

  it('runs out of time', async () => {
    await expect(fetchFile('/never-whole', { timeout: 2 })).rejects.toMatchObject({
      code: 'render_timeout',
      details: { unmet: 'the download to be complete' },
    });
    await nothingIsLeft();
  });

  it('loses its client', async () => {
    const client = new AbortController();
    const rendering = host.render(
      { url: site.url('/never-whole'), output_type: 'download' },
      {
        signal: client.signal,
        onPhase: (phase) => {
          if (phase === 'capture') client.abort();
        },
      },
    );
    await expect(rendering).rejects.toMatchObject({ code: 'client_closed' });
    await nothingIsLeft();
  });

  it('loses its client while it is sent', async () => {
    const client = new AbortController();
    const { output } = await host.render({ url: site.url('/program.bin'), output_type: 'download' }, { signal: client.signal });
    if (!(output.body instanceof Readable)) throw new Error('the file does not stream');
    if (output.body.readableLength === 0) await once(output.body, 'readable');
    const failed = once(output.body, 'error');
    client.abort();
    expect(await failed).toMatchObject([{ code: 'client_closed' }]);
    await nothingIsLeft();
  });
});

it('frees its page, and leaves no file, before the client has read it', async () => {
  const { output } = await host.render({ url: site.url('/program.bin'), output_type: 'download' });
  await nothingIsLeft();
  if (!(output.body instanceof Readable)) throw new Error('the file does not stream');
  const chunks: Buffer[] = [];
  for await (const chunk of output.body) chunks.push(Buffer.from(chunk));
  expect(Buffer.concat(chunks).equals(BINARY)).toBe(true);
  expect(chunks.length).toBeGreaterThan(1);
});

it('says its length: the answer carries a Content-Length', async () => {
  const server = createServer({ kernel: host.kernel, log: silentLogger, flags: { 'server-bind-port': 0 } });
  const base = await server.listen();
  try {
    const answer = await fetch(`${base}/?${new URLSearchParams({ url: site.url('/program.bin'), output_type: 'download' }).toString()}`);
    expect(answer.headers.get('content-length')).toBe(String(BINARY.length));
    expect(Buffer.from(await answer.arrayBuffer()).equals(BINARY)).toBe(true);
  } finally {
    await server.close(0);
  }
});

it('is told apart from those of other renders at the same time', async () => {
  const [one, two, three] = await Promise.all([
    fetchFile('/program.bin'),
    fetchFile('/click-blob'),
    fetchFile('/page').catch((error: unknown) => error),
    fetchFile('/popup'),
  ]);
  expect(one.body.equals(BINARY)).toBe(true);
  expect(two.body.toString()).toBe('blobbed');
  expect(three).toMatchObject({ code: 'not_a_download' });
});

describe('other outputs', () => {
  it('answer a download with a hint', async () => {
    await expect(fetchFile('/attachment', { output_type: 'png' })).rejects.toMatchObject({
      code: 'target_not_page',
      message: expect.stringContaining('output_type=download'),
      details: { target: { url: site.url('/attachment'), status: 200, download: true } },
    });
  });

  it('answer an attachment that is a 404 with that', async () => {
    await expect(fetchFile('/gone', { output_type: 'png' })).rejects.toMatchObject({ code: 'target_status' });
    await expect(fetchFile('/gone', { output_type: 'png', fail: false })).rejects.toMatchObject({ code: 'target_not_page' });
  });

  it('take no files', async () => {
    const before = site.requests.length;
    await fetchFile('/frame', { output_type: 'png' });
    expect(site.requests.slice(before).map(({ url }) => url)).toContain('/attachment');
    expect(await downloadedFiles()).toEqual([]);
    const files = (await listProfiles()).map((profile) => readdir(profile, { recursive: true }));
    expect((await Promise.all(files)).flat().filter((name) => name.includes('.csv'))).toEqual([]);
  });
});
