import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, OutboundError, silentLogger, type Logger, type Outbound } from '@platen/kernel';
import basic from '@platen/plugin-auth-basic';
import signedUrl from '@platen/plugin-auth-signed-url';
import token from '@platen/plugin-auth-token';
import cache from '@platen/plugin-cache';
import egress from '@platen/plugin-egress';
import license from '@platen/plugin-license';
import metrics from '@platen/plugin-metrics';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { collectFlags } from '../../server/src/flags/flag-set.js';
import { openSite, type Site } from '../helpers/site.js';
import { until } from '../helpers/until.js';
import { openServer, type TestServer } from '../server/test-server.js';
import { basicHeader, bearer, inSeconds, signedPage } from './auth/auth-server.js';
import { createIssuer } from './service/license/issuer.js';
import { loadAll } from './service/openapi/open-documented.js';

const PAGE = 'url=http://a.test/';
const NAMES = ['none', 'a', 'b'] as const;
type Name = (typeof NAMES)[number];
type Flags = Readonly<Record<string, unknown>>;

interface Opened {
  readonly server: TestServer;
  readonly outbound: Pick<Outbound, 'fetch'>;
}

/** What a server does under a flag without a value, with one, and with another. */
interface Row {
  readonly values: Readonly<Partial<Record<Exclude<Name, 'none'>, unknown>>>;
  /** What stands beside it. */
  readonly beside?: (name: Name) => Flags;
  readonly shows: Readonly<Record<Name, string>>;
  readonly observe: (opened: Opened) => Promise<string> | string;
  /** What is taken away stays in force until a restart, and the log says so. */
  readonly isKept?: boolean;
}

const [issuer, other] = [createIssuer(), createIssuer()];
const setTimer = vi.spyOn(globalThis, 'setTimeout');
let folder: string;
let site: Site;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  site = await openSite({ '/': 'reached' });
  await writeFile(join(folder, 'a'), '127.0.0.1\n');
  await writeFile(join(folder, 'b'), '127.0.0.2\n');
});
afterAll(async () => {
  setTimer.mockRestore();
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});
const list = (name: string) => [join(folder, name)];

const yesOrNo = (answers: readonly Response[]) => answers.map(({ ok }) => (ok ? 'yes' : 'no')).join(' ');
const sendWith =
  (method: string, path: string, ...headers: readonly Readonly<Record<string, string>>[]) =>
  async ({ server }: Opened) =>
    yesOrNo(await Promise.all(headers.map((each) => fetch(`${server.url}${path}`, { method, headers: each }))));
const askWith = (path: string, ...headers: readonly Readonly<Record<string, string>>[]) => sendWith('GET', path, ...headers);
const askFor =
  (...queries: readonly string[]) =>
  async ({ server }: Opened) =>
    yesOrNo(await Promise.all(queries.map((query) => server.get(query))));
const reach = async ({ outbound }: Opened) => {
  const tried = ['127.0.0.1', '127.0.0.2'].map((host) =>
    outbound.fetch(site.url('/', host), { maxBytes: 100, timeoutMs: 5_000 }).then(
      () => 'yes',
      // The site listens at 127.0.0.1 alone.
      (error: unknown) => (error instanceof OutboundError && error.reason === 'blocked' ? 'no' : 'yes'),
    ),
  );
  return (await Promise.all(tried)).join(' ');
};
const CLOSED = { none: 'yes yes yes', a: 'no yes no', b: 'no no yes' };
const TIERED = askFor(`${PAGE}&pro_key=true`, `${PAGE}&enterprise_key=true`);

const TABLE: Readonly<Record<string, Row>> = {
  'server-basic-auth': {
    values: { a: ['ann:one'], b: ['bob:two'] },
    shows: CLOSED,
    isKept: true,
    observe: askWith(`/?${PAGE}`, {}, basicHeader('ann:one'), basicHeader('bob:two')),
  },
  'server-token-auth': {
    values: { a: ['one'], b: ['two'] },
    shows: CLOSED,
    isKept: true,
    observe: askWith(`/?${PAGE}`, {}, bearer('one'), bearer('two')),
  },
  'server-prometheus-auth': {
    values: { a: ['ann:one'], b: ['bob:two'] },
    beside: () => ({ 'server-enable-prometheus': true }),
    shows: CLOSED,
    isKept: true,
    observe: askWith('/metrics', {}, basicHeader('ann:one'), basicHeader('bob:two')),
  },
  'server-admin-auth': {
    values: { a: ['ann:one'], b: ['bob:two'] },
    beside: () => ({ 'server-cache': join(folder, 'cache') }),
    shows: CLOSED,
    isKept: true,
    observe: sendWith('DELETE', '/', {}, basicHeader('ann:one'), basicHeader('bob:two')),
  },
  'server-signed-url': {
    values: { a: ['one'], b: ['two'] },
    shows: { none: 'yes no no', a: 'no yes no', b: 'no no yes' },
    isKept: true,
    observe: askFor(PAGE, signedPage(inSeconds(600), 'one'), signedPage(inSeconds(600), 'two')),
  },
  'server-signed-url-max-age': {
    values: { a: 1_000, b: 10_000 },
    beside: () => ({ 'server-signed-url': ['one'] }),
    shows: { none: 'yes yes yes', a: 'yes no no', b: 'yes yes no' },
    observe: askFor(...[600, 6_000, 60_000].map((seconds) => signedPage(inSeconds(seconds), 'one'))),
  },
  'block-private-ips': { values: { a: true }, shows: { none: 'yes yes', a: 'no no', b: '' }, observe: reach },
  'allow-ip-range': {
    values: { a: ['127.0.0.1'], b: ['127.0.0.2'] },
    beside: () => ({ 'block-private-ips': true }),
    shows: { none: 'no no', a: 'yes no', b: 'no yes' },
    observe: reach,
  },
  'ip-blocklist': {
    values: { a: () => list('a'), b: () => list('b') },
    shows: { none: 'yes yes', a: 'no yes', b: 'yes no' },
    observe: reach,
  },
  'server-update-blocklist-interval': {
    values: { a: 11_000, b: 22_000 },
    beside: () => ({ 'ip-blocklist': list('a') }),
    shows: { none: '', a: '11000', b: '22000' },
    observe() {
      const delays = setTimer.mock.calls.flatMap(([, delay = 0]) => (delay >= 11_000_000 ? [delay / 1_000] : []));
      setTimer.mockClear();
      return [...new Set(delays)].join();
    },
  },
  'license-key': {
    values: { a: issuer.issue({ tier: 'pro' }), b: issuer.issue({ tier: 'enterprise' }) },
    beside: () => ({ 'license-public-key': issuer.pem }),
    shows: { none: 'no no', a: 'yes no', b: 'yes yes' },
    observe: TIERED,
  },
  'license-public-key': {
    values: { a: issuer.pem, b: other.pem },
    beside: (name) =>
      name === 'none' ? {} : { 'license-key': (name === 'a' ? issuer : other).issue({ tier: name === 'a' ? 'pro' : 'free' }) },
    shows: { none: 'yes yes', a: 'yes no', b: 'no no' },
    isKept: true,
    observe: TIERED,
  },
};

/** What is known only once the tests run. */
function asValue(value: unknown): unknown {
  return typeof value === 'function' ? (value as () => unknown)() : value;
}

async function open(flags: Flags, log: Logger = silentLogger): Promise<Opened> {
  let outbound: Opened['outbound'] | undefined;
  const guest = definePlugin({
    name: 'guest',
    params: {
      pro_key: { type: 'boolean', description: 'Pro.', 'x-tier': 'pro' },
      enterprise_key: { type: 'boolean', description: 'Enterprise.', 'x-tier': 'enterprise' },
    },
    serve(...[, api]) {
      outbound = api.outbound;
    },
  });
  const server = await openServer({ plugins: [guest, basic, token, signedUrl, metrics, egress, license, cache], flags, log });
  await server.kernel.prepare();
  if (outbound === undefined) throw new Error('the plugin was not asked to serve');
  onTestFinished(() => server[Symbol.asyncDispose]());
  return { server, outbound };
}

describe('every flag that a running server takes over', () => {
  it('is here', async () => {
    const reloading = [...collectFlags(await loadAll()).values()].filter(({ fragment }) => fragment['x-reloads'] === true);
    expect(reloading.map(({ name }) => name).sort()).toEqual(Object.keys(TABLE).sort());
  });

  const moves = Object.entries(TABLE).flatMap(([flag, row]) => {
    const names = NAMES.filter((name) => name === 'none' || row.shows[name] !== '' || flag.endsWith('interval'));
    return names.flatMap((from) => names.filter((to) => to !== from).map((to) => [flag, from, to, row] as const));
  });

  it.each(moves)('--%s: from %s to %s', async (flag, from, to, { values, beside = () => ({}), shows, observe, isKept = false }) => {
    const flagsOf = (name: Name) => ({ ...beside(name), ...(name === 'none' ? {} : { [flag]: asValue(values[name]) }) });
    const warnings: string[] = [];
    const log: Logger = { ...silentLogger, warn: (fields, text) => warnings.push(`${JSON.stringify(fields)} ${text}`), child: () => log };
    setTimer.mockClear();
    const opened = await open(flagsOf(from), log);
    expect(await observe(opened)).toBe(shows[from]);
    warnings.length = 0;
    expect(await opened.server.server.reload(flagsOf(to))).toEqual([]);
    const stays = isKept && to === 'none';
    expect(await observe(opened)).toBe(shows[stays ? from : to]);
    if (stays) expect(warnings).toContainEqual(expect.stringContaining(flag));
  });
});

describe('what a reload takes away of protection', () => {
  it.each([
    ['block-private-ips', { 'block-private-ips': true }, {}],
    ['allow-ip-range', { 'allow-ip-range': ['10.0.0.1'] }, { 'allow-ip-range': ['10.0.0.1', '10.0.0.0/8'] }],
    ['ip-blocklist', { 'ip-blocklist': ['a', 'b'] }, { 'ip-blocklist': ['b'] }],
    ['server-signed-url-max-age', { 'server-signed-url-max-age': 10 }, { 'server-signed-url-max-age': 20 }],
    ['server-signed-url-max-age', { 'server-signed-url-max-age': 10 }, {}],
  ])('is told by the flag: --%s, and what adds to it is not', async (flag, former, next) => {
    const told = vi.fn<Logger['warn']>();
    const log: Logger = { ...silentLogger, warn: told, child: () => log };
    const placed = (flags: Flags) => {
      const lists = flags['ip-blocklist'];
      return { 'server-signed-url': ['one'], ...flags, ...(Array.isArray(lists) ? { 'ip-blocklist': lists.flatMap(list) } : {}) };
    };
    const opened = await open(placed(former), log);
    told.mockClear();
    await opened.server.server.reload(placed(next));
    expect(told.mock.calls.map(([fields]) => fields)).toEqual([expect.objectContaining({ flag })]);
    told.mockClear();
    await opened.server.server.reload(placed(former));
    expect(told).not.toHaveBeenCalled();
  });
});

it('a reload does not wait for a list that does not come again: it is tried behind it, once more for all who asked meanwhile', async () => {
  const release = new AbortController();
  let count = 0;
  await using lists = await openSite({
    async '/list'() {
      count += 1;
      if (count === 1) return '192.0.2.1';
      if (!release.signal.aborted) await once(release.signal, 'abort');
      return '127.0.0.2';
    },
  });
  const flagsOf = (each: string) => ({ 'server-token-auth': [each], 'ip-blocklist': [lists.url('/list')] });
  const opened = await open(flagsOf('former'));
  for (let left = 100; left > 0; left--) await opened.server.server.reload(flagsOf('latter'));
  expect(await askWith(`/?${PAGE}`, bearer('former'), bearer('latter'))(opened)).toBe('no yes');
  await until(() => count === 2);
  expect(await reach(opened)).toBe('yes yes');
  release.abort();
  await until(async () => (await reach(opened)) === 'yes no');
  await until(() => count === 3);
});

it.each([
  ['garbage', { 'license-public-key': issuer.pem, 'license-key': 'garbage' }, '--license-key is not valid'],
  [
    'above the licence',
    { 'license-public-key': issuer.pem, 'server-signed-url': ['one'] },
    '--server-signed-url requires the tier enterprise',
  ],
  ['for metrics that are off', { 'server-prometheus-auth': ['ann:one'] }, 'requires --server-enable-prometheus'],
])('a flag that comes by a reload and is %s refuses it, as it would refuse a start', async (_what, flags, reason) => {
  const opened = await open({});
  await expect(opened.server.server.reload({ ...flags, 'block-private-ips': true })).rejects.toThrow(reason);
  expect([await TIERED(opened), await reach(opened)]).toEqual(['yes yes', 'yes yes']);
});
