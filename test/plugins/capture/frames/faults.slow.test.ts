import { once } from 'node:events';
import { Readable } from 'node:stream';
import { definePlugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { dataUrl, moving, PLUGINS } from './videos.js';

/** Lets a test do something to the page once its film has begun. */
const accident = definePlugin({
  name: 'test-accident',
  params: { accident: { type: 'string', description: 'What happens to the page.', enum: ['crash'] } },
  apply({ hooks }) {
    hooks.additionalAssets.tapPromise('test-accident', async ({ params, page }) => {
      if (params.accident === 'crash') await page.send('Page.crash').catch(() => undefined);
    });
  },
});

const host = createTestKernel({ plugins: [...PLUGINS, accident] });
afterAll(() => host[Symbol.asyncDispose]());

const FILM = { url: dataUrl(moving()), output_type: 'test-video', video_duration: 60 };

async function begin(params: Readonly<Record<string, unknown>> = {}, signal?: AbortSignal) {
  const { output } = await host.render({ ...FILM, ...params }, signal === undefined ? {} : { signal });
  if (!(output.body instanceof Readable)) throw new Error('the film does not stream');
  return output.body;
}

/** Reads so many chunks and then no more. */
async function readSome(body: Readable, chunks: number): Promise<void> {
  for (let read = 0; read < chunks;) {
    if (body.read() === null) await once(body, 'readable');
    else read += 1;
  }
}

const everythingIsGivenBack = () =>
  vi.waitFor(() => expect(host.kernel.status()).toMatchObject({ busy: 0, browsers: 0 }), { timeout: 20_000 });

describe('a film that does not come to its end', () => {
  it('stops when the client leaves', async () => {
    const client = new AbortController();
    const body = await begin({}, client.signal);
    await readSome(body, 3);
    const failed = once(body, 'error');
    client.abort();
    expect(await failed).toMatchObject([{ code: 'client_closed' }]);
    await everythingIsGivenBack();
  });

  it('stops when the time is up', async () => {
    const body = await begin({ video_duration: 3, timeout: 3.5 });
    const [error]: unknown[] = await once(body, 'error');
    expect(error).toMatchObject({ code: 'render_timeout' });
    await everythingIsGivenBack();
  });

  it('stops when the encoder gives up', async () => {
    const body = await begin();
    await readSome(body, 2);
    body.destroy();
    await everythingIsGivenBack();
  });

  it('says that the page crashed', async () => {
    const body = await begin({ accident: 'crash' });
    body.resume();
    expect(await once(body, 'error')).toMatchObject([{ code: 'page_crashed' }]);
    await everythingIsGivenBack();
  });

  it('gives the browser back before a slow reader has read all of it', async () => {
    const body = await begin({ video_duration: 0.2 });
    // The first line makes the encoder fetch what it can hold, which is the whole film.
    await readSome(body, 1);
    await everythingIsGivenBack();
    let text = '';
    for await (const chunk of body) text += String(chunk);
    expect(text.trimEnd().split('\n')).toHaveLength(5);
  });

  it('stops when the server shuts down', async () => {
    const other = createTestKernel({ plugins: PLUGINS });
    const { output } = await other.render(FILM);
    if (!(output.body instanceof Readable)) throw new Error('the film does not stream');
    const failed = once(output.body, 'error');
    await other.kernel.close();
    expect(await failed).toMatchObject([{ code: 'draining' }]);
    expect(other.kernel.status()).toMatchObject({ busy: 0, browsers: 0, inFlight: 0 });
  });
});
