import { definePlugin, type Logger } from '@platen/kernel';
import license from '@platen/plugin-license';
import outputs from '@platen/plugin-outputs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { openServer, serving, type TestServerOptions } from '../../../server/test-server.js';
import { at, createIssuer, DAY } from './issuer.js';

const issuer = createIssuer();
const PAGE = 'url=http://a.test/';

/** Keys, an output type and flags of every tier. */
const tiered = definePlugin({
  name: 'tiered',
  tier: 'pro',
  outputs: [{ type: 'costly', from: 'fake', contentType: 'image/costly', extension: 'costly' }],
  params: {
    remove_modals: { type: 'boolean', description: 'Pro.', default: false },
    steps: { type: 'integer', description: 'Pro.', default: 10 },
    names: { type: 'array', items: { type: 'string' }, description: 'Pro.' },
    skip_robots_txt: { type: 'boolean', description: 'Enterprise.', 'x-tier': 'enterprise' },
    plain: { type: 'boolean', description: 'Free.', 'x-tier': 'free' },
  },
  flags: {
    'tiered-limit': { type: 'integer', description: 'Enterprise.', default: 5, 'x-tier': 'enterprise' },
    'tiered-secret': { type: 'string', description: 'Pro.', 'x-secret': true, 'x-tier': 'pro' },
  },
  apply({ hooks }) {
    hooks.encode.for('costly').tap('tiered', () => ({ contentType: 'image/costly', extension: 'costly', body: Buffer.from('c') }));
  },
});

async function open(flags: Record<string, unknown>, more: TestServerOptions = {}) {
  const server = await openServer({
    plugins: [tiered, license, ...(more.plugins ?? [])],
    ...(more.log === undefined ? {} : { log: more.log }),
    flags,
  });
  onTestFinished(() => server[Symbol.asyncDispose]());
  return server;
}

const licensed = (claims?: object) => ({ 'license-public-key': issuer.pem, 'license-key': issuer.issue(claims) });

function listen() {
  const lines: [string, string, object][] = [];
  const level = (name: string) => (fields: object, message: string) => void lines.push([name, message, fields]);
  const log: Logger = { debug() {}, info: level('info'), warn: level('warn'), error: level('error'), child: () => log };
  return { log, told: (name: string) => lines.filter(([at]) => at === name).map(([, message]) => message), lines };
}

describe('without a public key', () => {
  it('nothing is locked, at boot and at planning', async () => {
    const server = await open({ server: true, 'tiered-limit': 9 });
    expect((await server.get(`${PAGE}&remove_modals&skip_robots_txt&output_type=costly`)).status).toBe(200);
  });

  it('a licence has no effect, and the log says so', async () => {
    const { log, told } = listen();
    const server = await open({ 'license-key': 'anything' }, { log });
    expect((await server.get(`${PAGE}&skip_robots_txt`)).status).toBe(200);
    expect(told('warn')).toEqual([expect.stringContaining('--license-public-key')]);
  });
});

describe('at boot', () => {
  it.each([
    [
      'without a licence --server is beyond the tier',
      { 'license-public-key': issuer.pem, server: true },
      /--server requires the tier pro: no license is given/,
    ],
    [
      'flags above the tier are named with theirs',
      { ...licensed(), server: true, 'tiered-limit': 9 },
      /--tiered-limit requires the tier enterprise: the license is valid/,
    ],
    ['secret flags count too', { ...licensed({ tier: 'free' }), 'tiered-secret': 'x' }, /--tiered-secret requires the tier pro/],
    [
      'after its grace period a licence is none',
      { ...licensed({ issued: at(-99 * DAY), expires: at(-15 * DAY) }), server: true },
      /--server .*expired on/,
    ],
    ['before its time too', { ...licensed({ issued: at(DAY) }), server: true }, /--server .*not valid before/],
  ])('%s', async (_case, flags, message) => {
    await expect(open(flags)).rejects.toMatchObject({ code: 'boot_license_required', message: expect.stringMatching(message) });
  });

  it('a flag at its default asks for nothing, and a feature of the licence allows its flag', async () => {
    await open({ ...licensed(), server: true, 'tiered-limit': 5 });
    await open({ ...licensed({ features: ['tiered-limit'] }), server: true, 'tiered-limit': 9 });
  });

  it.each([
    ['license-key', { ...licensed(), 'license-key': createIssuer().issue() }],
    ['license-key', { ...licensed(), 'license-key': 'garbage' }],
    ['license-public-key', { ...licensed(), 'license-public-key': 'garbage' }],
  ])('a --%s that is not valid ends the start and is not repeated', async (flag, flags) => {
    const error: unknown = await open(flags).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'boot_invalid_flag', message: expect.stringContaining(`--${flag} is not valid`) });
    expect(String(error)).not.toContain(flags['license-key']);
  });
});

describe('at planning', () => {
  it('a further output above the tier is named as such', async () => {
    const combining = definePlugin({
      name: 'combining',
      captures: [{ kind: 'combining', combines: 'reading' }],
      outputs: [{ type: 'plain', from: 'combining', contentType: 'text/plain', extension: 'plain' }],
      apply({ hooks }) {
        hooks.capture.for('combining').tap('combining', () => 'captured');
        hooks.encode.for('plain').tap('combining', () => ({ body: Buffer.of() }));
      },
    });
    const rich = definePlugin({
      name: 'rich',
      tier: 'pro',
      outputs: [{ type: 'rich', from: 'combining', contentType: 'text/rich', extension: 'rich' }],
      apply({ hooks }) {
        hooks.encode.for('rich').tap('rich', () => ({ body: Buffer.of() }));
      },
    });
    const server = await open(licensed({ tier: 'free' }), { plugins: [combining, rich, outputs] });
    const answer = await server.get(`${PAGE}&output_type=plain&with_output=rich`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({ code: 'license_required', detail: expect.stringContaining('"with_output" rich') });
  });

  it('a key above the tier is a 403 license_required that names key and tier', async () => {
    const server = await open(licensed());
    const answer = await server.get(`${PAGE}&skip_robots_txt&remove_modals`);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'license_required',
      retryable: false,
      detail: '"skip_robots_txt" requires the tier enterprise; this server is licensed for the tier pro',
    });
  });

  it('all that is above the tier is named at once, the output type too', async () => {
    const server = await open({ 'license-public-key': issuer.pem });
    const answer = await server.post({ url: 'http://a.test/', output_type: 'costly', names: ['a'], skip_robots_txt: true });
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      detail:
        '"output_type" costly requires the tier pro; "names" requires the tier pro; "skip_robots_txt" requires the tier enterprise; this server is licensed for the tier free',
    });
  });

  it('what is of the tier, off, empty or at its default asks for nothing', async () => {
    const server = await open({ 'license-public-key': issuer.pem });
    expect((await server.get(`${PAGE}&plain&remove_modals=false&steps=10`)).status).toBe(200);
    expect((await server.post({ url: 'http://a.test/', names: [], remove_modals: null })).status).toBe(200);
    expect((await server.get(`${PAGE}&steps=11`)).status).toBe(403);
  });

  it('a feature allows its key and its type', async () => {
    const server = await open(licensed({ tier: 'free', features: ['costly', 'skip_robots_txt'] }));
    expect((await server.get(`${PAGE}&output_type=costly&skip_robots_txt`)).status).toBe(200);
    expect((await server.get(`${PAGE}&remove_modals`)).status).toBe(403);
  });

  it('DELETE is judged as GET is, and a purge of everything names no key', async () => {
    const cache = serving(({ hooks }) => {
      hooks.purge.tap('guest', () => true);
    });
    const server = await open(licensed(), { plugins: [cache] });
    const purge = (query: string) => fetch(`${server.url}/${query}`, { method: 'DELETE' }).then(({ status }) => status);
    expect([await purge(`?${PAGE}&skip_robots_txt`), await purge(`?${PAGE}`), await purge('')]).toEqual([403, 204, 204]);
  });

  it('neither a cache nor a report answers first', async () => {
    const eager = serving(({ hooks }) => {
      hooks.beforeRender.tap('guest', () => {
        throw new Error('was asked');
      });
    });
    const server = await open(licensed(), { plugins: [eager] });
    expect((await server.get(`${PAGE}&skip_robots_txt`)).status).toBe(403);
  });
});

describe('time', () => {
  const expiring = (inDays: number) => licensed({ issued: at(-99 * DAY), expires: at(inDays * DAY) });

  it('within the grace period an expired licence is honoured, and the log warns at the start', async () => {
    const { log, told } = listen();
    const server = await open(expiring(-13), { log });
    expect((await server.get(`${PAGE}&remove_modals`)).status).toBe(200);
    expect(told('warn')).toEqual([expect.stringMatching(/expired on .* and is accepted until/)]);
  });

  it('a license that ends within thirty days is warned of, one that lasts is logged once', async () => {
    const soon = listen();
    const long = listen();
    await open(expiring(29), { log: soon.log });
    await open(expiring(31), { log: long.log });
    expect([soon.told('warn').length, long.told('warn').length]).toEqual([1, 0]);
    expect(long.told('info')).toContainEqual(expect.stringContaining('the license is valid until'));
  });

  it('the warning comes again every day, and at the end of the grace period the tier is free', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { log, told } = listen();
    const server = await open(expiring(2), { log });
    const ask = () => server.get(`${PAGE}&remove_modals`).then(({ status }) => status);
    expect(told('warn')).toHaveLength(1);
    vi.advanceTimersByTime(3 * DAY);
    expect(told('warn')).toHaveLength(4);
    expect(told('warn').at(-1)).toMatch(/expired on/);
    expect(await ask()).toBe(200);
    vi.advanceTimersByTime(14 * DAY);
    expect(await ask()).toBe(403);
  });
});

describe('a reload', () => {
  it('keeps the former licence where the new one is not valid, or nothing would be locked any more', async () => {
    const { log, told } = listen();
    const server = await open(licensed({ tier: 'free' }), { log });
    await expect(server.server.reload({ ...licensed(), 'license-key': 'garbage' })).rejects.toThrow('--license-key is not valid');
    await server.server.reload({});
    expect((await server.get(`${PAGE}&remove_modals`)).status).toBe(403);
    expect(told('warn')).toContainEqual(expect.stringContaining('stays active until a restart'));
  });

  it('warns where flags that are on are above the new tier', async () => {
    const { log, told } = listen();
    const server = await open({ ...licensed(), server: true }, { log });
    await server.server.reload({ 'license-public-key': issuer.pem });
    expect(told('warn')).toContainEqual(expect.stringMatching(/--server requires the tier pro.*next start/));
  });
});
