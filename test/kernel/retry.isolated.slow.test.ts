import { definePlugin, PlatenError, silentLogger, type Logger, type Plugin } from '@platen/kernel';
import { createTestKernel } from '@platen/kernel/testing';
import { describe, expect, it, vi } from 'vitest';
import { openSite } from '../helpers/site.js';

const probe = definePlugin({
  name: 'probe',
  captures: [{ kind: 'probe' }],
  outputs: [{ type: 'probe', from: 'probe', contentType: 'text/plain', extension: 'txt' }],
  params: {
    has_effect: { type: 'boolean', description: 'Loading the page twice would do harm.' },
    script_has_effect: { type: 'boolean', description: 'What is done in the page would do harm if it were done twice.' },
  },
  plan(draft) {
    if (draft.params.has_effect === true) draft.disableRetry();
    if (draft.params.script_has_effect === true) draft.disableRetry('script');
  },
  apply({ hooks }) {
    hooks.capture.for('probe').tapPromise('probe', ({ page }) => page.evaluate(() => document.title));
    hooks.encode.for('probe').tap('probe', (title) => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.from(String(title)) }));
  },
});

interface Rig {
  readonly kills: number;
  readonly then: 'answer' | 'hold';
  readonly plugins?: readonly Plugin[];
}

/** A site whose page kills every browser there is when it is asked for, so many times; then it answers, or never does. */
async function rig({ kills, then, plugins = [probe] }: Rig) {
  const browsers: number[] = [];
  const log: Logger = {
    ...silentLogger,
    info: (fields, message) => {
      if (message === 'browser started' && 'pid' in fields) browsers.push(Number(fields.pid));
    },
    child: () => log,
  };
  const host = createTestKernel({ plugins, log });
  const site = await openSite({
    '/': () => {
      if (site.requests.length > kills) return then === 'answer' ? '<title>alive</title>' : undefined;
      for (const pid of browsers.splice(0)) process.kill(pid, 'SIGKILL');
      return undefined;
    },
  });
  return {
    site,
    render: (params: Readonly<Record<string, unknown>> = {}) => host.render({ url: site.url('/'), output_type: 'probe', ...params }),
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]();
      await site[Symbol.asyncDispose]();
    },
  };
}

describe('a render whose browser is lost', () => {
  it('is tried once more', async () => {
    await using lost = await rig({ kills: 1, then: 'answer' });
    expect((await (await lost.render()).bytes()).toString()).toBe('alive');
    expect(lost.site.requests).toHaveLength(2);
  });

  it('is not tried a third time, and the next render works', async () => {
    await using lost = await rig({ kills: 2, then: 'answer' });
    await expect(lost.render()).rejects.toMatchObject({ code: 'browser_lost', details: { retryable: true } });
    expect((await (await lost.render()).bytes()).toString()).toBe('alive');
  });

  it('is not tried again where its plan says that this could repeat an effect', async () => {
    await using lost = await rig({ kills: 1, then: 'answer' });
    await expect(lost.render({ has_effect: true })).rejects.toMatchObject({ code: 'browser_lost' });
    expect(lost.site.requests).toHaveLength(1);
  });

  it('has one timeout for both tries', async () => {
    await using lost = await rig({ kills: 1, then: 'hold' });
    const started = performance.now();
    await expect(lost.render({ timeout: 15 })).rejects.toMatchObject({ code: 'render_timeout' });
    expect(lost.site.requests).toHaveLength(2);
    // Two deadlines one after the other would take the time of the first try and fifteen seconds more.
    expect((performance.now() - started) / 1000).toBeGreaterThanOrEqual(14.9);
  });
});

describe('a render that ends every browser', () => {
  it('takes no other render with it the second time', async () => {
    const poison = definePlugin({
      name: 'poison',
      captures: [{ kind: 'poison' }],
      outputs: [{ type: 'poison', from: 'poison', contentType: 'text/plain', extension: 'txt' }],
      apply({ hooks }) {
        hooks.capture.for('poison').tapPromise('poison', async ({ page }) => {
          takes += 1;
          await vi.waitFor(() => expect(site.requests).toHaveLength(takes), { timeout: 20_000 });
          return page.send('Browser.crash');
        });
        hooks.encode.for('poison').tap('poison', () => ({ contentType: 'text/plain', extension: 'txt', body: Buffer.alloc(0) }));
      },
    });
    let takes = 0;
    let answer: (html: string) => void = () => undefined;
    const answered = new Promise<string>((resolve) => {
      answer = resolve;
    });
    await using host = createTestKernel({ plugins: [probe, poison] });
    await using site = await openSite({ '/': () => answered });
    const bystander = host.render({ url: site.url('/'), output_type: 'probe' });
    await expect(host.render({ url: 'data:text/html,poison', output_type: 'poison' })).rejects.toMatchObject({ code: 'browser_lost' });
    answer('<title>alive</title>');
    expect((await (await bystander).bytes()).toString()).toBe('alive');
    expect([takes, site.requests.length]).toEqual([2, 2]);
  });
});

/** Wants a browser with one more switch, as often as it is asked. */
const choosy = definePlugin({
  name: 'choosy',
  requires: ['probe'],
  params: { enough: { type: 'boolean', description: 'The second browser will do.' } },
  apply({ hooks }) {
    hooks.waitFor.tapPromise('choosy', ({ plan: { browser }, setResponseHeader, params }) => {
      setResponseHeader('X-Browser', JSON.stringify(browser));
      if (browser.switches.includes('--test-switch') && params.enough === true) return Promise.resolve(undefined);
      const retryWith = { ...browser, exclusive: true, switches: [...browser.switches, '--test-switch'] };
      throw new PlatenError('browser_lost', 'another browser is needed', { retryWith });
    });
  },
});

describe('a render that needs a browser of another kind', () => {
  const url = 'data:text/html,<title>here</title>';
  const raw = { url, output_type: 'probe' };

  it('is tried once more in that one, which goes with it', async () => {
    await using host = createTestKernel({ plugins: [probe, choosy] });
    const { headers, bytes } = await host.render({ ...raw, enough: true });
    expect((await bytes()).toString()).toBe('here');
    expect(JSON.parse(headers['X-Browser'] ?? '')).toEqual({ variant: 'shell', exclusive: true, switches: ['--test-switch'] });
    await vi.waitFor(() => expect(host.kernel.status()).toMatchObject({ busy: 0, browsers: 1 }), { timeout: 20_000 });
  });

  it('is not tried a third time', async () => {
    await using host = createTestKernel({ plugins: [probe, choosy] });
    await expect(host.render(raw)).rejects.toMatchObject({
      code: 'browser_lost',
      retryWith: { switches: ['--test-switch', '--test-switch'] },
    });
  });

  it('is not tried again where its plan says that this could repeat an effect', async () => {
    await using host = createTestKernel({ plugins: [probe, choosy] });
    await expect(host.render({ ...raw, has_effect: true })).rejects.toMatchObject({
      code: 'browser_lost',
      retryWith: { switches: ['--test-switch'] },
    });
  });

  it('is tried again where only what is done in the loaded page would have an effect; a browser that is lost is not', async () => {
    await using host = createTestKernel({ plugins: [probe, choosy] });
    const { headers } = await host.render({ ...raw, enough: true, script_has_effect: true });
    expect(JSON.parse(headers['X-Browser'] ?? '')).toMatchObject({ exclusive: true });
    await using lost = await rig({ kills: 1, then: 'answer' });
    await expect(lost.render({ script_has_effect: true })).rejects.toMatchObject({ code: 'browser_lost' });
    expect(lost.site.requests).toHaveLength(1);
  });

  it('may lose that browser, too, once', async () => {
    await using lost = await rig({ kills: 1, then: 'answer', plugins: [probe, choosy] });
    const { headers, bytes } = await lost.render({ enough: true });
    expect((await bytes()).toString()).toBe('alive');
    expect(JSON.parse(headers['X-Browser'] ?? '')).toMatchObject({ exclusive: true });
    expect(lost.site.requests).toHaveLength(3);
  });
});

describe('a browser of a render\u2019s own, which ends with its capture', () => {
  it.each([true, false])('is not lost to an encoder that fails behind it, streaming: %s', async (streaming) => {
    const failing = definePlugin({
      name: 'failing',
      captures: [streaming ? { kind: 'own', streaming } : { kind: 'own' }],
      outputs: [{ type: 'failing', from: 'own', contentType: 'text/plain', extension: 'txt' }],
      plan(draft) {
        draft.browser.exclusive = true;
      },
      apply({ hooks }) {
        hooks.capture.for('own').tapPromise('failing', ({ page }) => page.evaluate(() => document.title));
        hooks.encode.for('failing').tapPromise('failing', async (_title, { release }) => {
          release();
          await vi.waitFor(() => expect(host.kernel.status().browsers).toBe(0), { timeout: 20_000 });
          throw new PlatenError('encode_failed', 'the picture could not be encoded');
        });
      },
    });
    await using host = createTestKernel({ plugins: [failing] });
    await using site = await openSite({ '/': '<title>here</title>' });
    await expect(host.render({ url: site.url('/'), output_type: 'failing' })).rejects.toMatchObject({ code: 'encode_failed', status: 500 });
    expect(site.requests.filter(({ url }) => url === '/')).toHaveLength(1);
  });
});
