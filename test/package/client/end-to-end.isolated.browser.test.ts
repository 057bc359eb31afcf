import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findBrowsers } from '@platen/kernel';
import { build } from 'esbuild';
import type * as platen from 'platen/client';
import { type Client, createClient, PlatenError } from 'platen/client';
import { type Browser, chromium } from 'playwright-core';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../helpers/run-cli.js';
import { openSite, type Site } from '../../helpers/site.js';

const SOURCE = new URL('../../../package/src/client/index.ts', import.meta.url).pathname;
const [TOKEN, SECRET] = ['token-1', 'a shared secret'];

let folder: string;
let site: Site;
let server: RunningServer;
let client: Client;
let url: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  // The client, as a bundler of a web application would have it: without anything of Node.
  const { outputFiles } = await build({
    entryPoints: [SOURCE],
    bundle: true,
    format: 'iife',
    globalName: 'platen',
    platform: 'browser',
    write: false,
  });
  site = await openSite({
    '/': '<title>Start</title><body style="margin:0;background:rgb(1,2,3)"><h1>Start</h1><a href="/two">Two</a>',
    '/two': '<title>Two</title>Two',
    '/never': () => undefined,
    '/app': '<title>App</title><script src="/client.js"></script>',
    '/client.js': { headers: { 'content-type': 'text/javascript' }, body: outputFiles[0]?.text ?? '' },
  });
  url = site.url('/');
  await writeFile(join(folder, 'token'), TOKEN);
  await writeFile(join(folder, 'secret'), SECRET);
  server = await startServer([
    ...['--server-token-auth', `@${join(folder, 'token')}`, '--server-signed-url', `@${join(folder, 'secret')}`],
    ...['--server-enable-jobs', join(folder, 'jobs'), '--server-allowed-origins', new URL(site.url('/', 'localhost')).origin],
  ]);
  client = createClient({ baseUrl: server.url, token: TOKEN, secret: SECRET });
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const failureOf = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe('the client, on a real server', () => {
  it('renders, with assets', async () => {
    const rendered = await client.render({ url, output_type: 'png', image_width: 40, with_output: ['pdf', 'txt'], pdf_format: 'A6' });
    const { data, info } = await sharp(await rendered.bytes())
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    expect([rendered.contentType, info.width, ...data.subarray(-3)]).toEqual(['image/png', 40, 1, 2, 3]);
    const [pdf, text] = rendered.assets();
    expect((await (await pdf?.open())?.text())?.slice(0, 5)).toBe('%PDF-');
    expect(await (await text?.open())?.text()).toContain('Start');
  });

  it('has the errors of the server', async () => {
    const wrong = { url, output_type: 'png', image_width: -1 } as const;
    expect(await failureOf(client.render(wrong))).toMatchObject({
      code: 'invalid_parameters',
      status: 400,
      errors: [{ parameter: 'image_width' }],
    });
    const stranger = createClient({ baseUrl: server.url, token: 'another' });
    const refused = await failureOf(stranger.render({ url }));
    expect(refused).toBeInstanceOf(PlatenError);
    expect(refused).toMatchObject({ code: 'unauthorized', status: 401 });
  });

  it('follows jobs, with the errors of their renders', async () => {
    const states: string[] = [];
    const job = await client.job({ url, output_type: 'markdown', with_har: true }, { onProgress: ({ state }) => void states.push(state) });
    const rendered = await job.result;
    expect(await rendered.text()).toContain('# Start');
    expect(states.at(-1)).toBe('done');
    const [har] = rendered.assets();
    expect(await (await har?.open())?.json()).toHaveProperty('log.entries');
    const failed = await client.job({ url: site.url('/nowhere') });
    expect(await failureOf(failed.result)).toMatchObject({ code: 'target_status', status: 502, problem: { target: { status: 404 } } });
  });

  it('cancels jobs, and renders whose caller leaves', async () => {
    const job = await client.job({ url: site.url('/never') });
    await job.cancel();
    expect(await failureOf(job.result)).toMatchObject({ name: 'AbortError' });
    expect(await failureOf(client.render({ url: site.url('/never') }, { signal: AbortSignal.timeout(500) }))).toMatchObject({
      name: 'TimeoutError',
    });
  });

  it('renders a batch', async () => {
    const texts = new Map<number, string>();
    const requests = ['/', '/two', '/nowhere'].map((path) => ({ url: site.url(path), output_type: 'txt' }) as const);
    for await (const { index, rendered, error } of client.batch(requests, { concurrency: 2 }))
      texts.set(index, rendered === undefined ? String(error) : await rendered.text());
    expect([texts.get(0), texts.get(1)]).toEqual([expect.stringContaining('Start'), expect.stringContaining('Two')]);
    expect(texts.get(2)).toContain('PlatenError');
  });

  it('signs addresses that need no credential, of renders and assets', async () => {
    const address = client.url({ url, output_type: 'html', with_har: true, cookie: ['a=ä b; Domain=127.0.0.1'] });
    expect((await fetch(address)).status).toBe(401);
    const response = await fetch(await client.sign(address, { expiresIn: 60 }));
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Start')]);
    const [, link = ''] = /<([^>]*)>/.exec(response.headers.get('link') ?? '') ?? [];
    const asset = `${server.url}${link.replace(/&?(expires|signature)=[^&]*/g, '')}`;
    expect((await fetch(asset)).status).toBe(401);
    expect((await fetch(await client.sign(asset))).status).toBe(200);
    expect((await fetch(await client.sign(address, { expiresIn: -60 }))).status).toBe(403);
  });
});

describe('the client, in a page', () => {
  let browser: Browser;
  beforeAll(async () => {
    const { shell, full } = await findBrowsers();
    const executablePath = (shell ?? full)?.path;
    if (executablePath === undefined) throw new Error('there is no browser');
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(() => browser.close());

  /** Runs in a page of the site, by that name. */
  const inPage = async (host: string) => {
    const page = await browser.newPage();
    await page.goto(site.url('/app', host));
    return await page.evaluate(
      async ({ baseUrl, token, secret, target, never }) => {
        const { createClient: create, PlatenError: Failure } = (globalThis as unknown as { platen: typeof platen }).platen;
        const own = create({ baseUrl, token, secret, retries: 0 });
        try {
          const rendered = await own.render({ url: target, output_type: 'png', with_har: true });
          const image = await createImageBitmap(new Blob([new Uint8Array(await rendered.bytes())]));
          const [har] = rendered.assets();
          const job = await own.job({ url: target, output_type: 'txt' });
          const error: unknown = await own.render({ url: never, fail: true }).catch((thrown: unknown) => thrown);
          const signed = new Image();
          signed.src = await own.sign(own.url({ url: target }), { expiresIn: 60 });
          await signed.decode();
          return {
            width: image.width,
            har: Object.keys((await (await har?.open())?.json()) as object),
            text: await (await job.result).text(),
            code: error instanceof Failure ? error.code : String(error),
            signed: signed.naturalWidth,
          };
        } catch (thrown) {
          return String(thrown);
        }
      },
      { baseUrl: server.url, token: TOKEN, secret: SECRET, target: url, never: site.url('/nowhere') },
    );
  };

  it('of an allowed origin renders, follows jobs, has assets and errors, and signs images', async () => {
    expect(await inPage('localhost')).toEqual({
      width: 1280,
      har: ['log'],
      text: expect.stringContaining('Start'),
      code: 'target_status',
      signed: 1280,
    });
  });

  it('of another origin does not', async () => {
    expect(await inPage('127.0.0.1')).toBe('TypeError: Failed to fetch');
  });
});
