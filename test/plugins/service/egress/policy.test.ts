import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger, type Outbound } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createPolicy, type Settings } from '../../../../plugins/service/egress/src/policy.js';
import { createOutbound } from '../../../../kernel/src/egress/outbound.js';
import { createUpdates } from '../../../../plugins/service/egress/src/updates.js';

const NONE: Settings = { blockPrivate: false, allowed: [], lists: [] };
const offline: Outbound['fetch'] = () => Promise.reject(new Error('nobody answers'));
const answering =
  (body: string, status = 200): Outbound['fetch'] =>
  (url) =>
    Promise.resolve({ url, status, headers: {}, body: Buffer.from(body) });

/** As in a server, without rules. */
const unserved: Outbound['fetch'] = (url, options) => createOutbound({ addressFilters: [] }).fetch(url, options);

function open(settings: Partial<Settings>, { fetch = offline, log = silentLogger }: { fetch?: Outbound['fetch']; log?: Logger } = {}) {
  const all = { ...NONE, ...settings };
  const policy = createPolicy({ settings: all, log, outbound: { fetch } });
  return {
    policy,
    load: async (next: Partial<Settings> = {}) => {
      const apply = await policy.read({ ...all, ...next });
      apply();
    },
    check: (address: string, host = 'some.test') => policy.filterAddress({ address, host, port: 80 }),
    checkHost: policy.filterHost,
    permits: (address: string) => policy.isAllowed({ address, host: 'some.test', port: 80 }),
  };
}

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blocklist-'));
  file = join(folder, 'list.txt');
  await writeFile(file, '198.51.100.0/24\n0.0.0.0 ads.example\n');
});
afterAll(() => rm(folder, { recursive: true }));

/** One private address in every form that IPv6 can give it. */
const DISGUISES = ['::ffff:10.0.0.1', '::ffff:a00:1', '::10.0.0.1', '64:ff9b::a00:1', '2002:a00:1::', '2001:0:a00:1::', '2606::5efe:a00:1'];

describe('--block-private-ips', () => {
  it.each(['127.0.0.1', '10.0.0.1', '::1', 'fe80::1%eth0', ...DISGUISES])('refuses %s from the first moment', (address) => {
    expect(open({ blockPrivate: true }).check(address)).toMatch(/^its address is an? .* \(--block-private-ips\)$/);
  });

  it('refuses nothing that is public, and nothing at all where it is not given', () => {
    expect(open({ blockPrivate: true }).check('93.184.215.14')).toBeUndefined();
    expect(open({ blockPrivate: true }).check('64:ff9b::5db8:d70e')).toBeUndefined();
    expect(open({}).check('10.0.0.1')).toBeUndefined();
  });

  it('names an address to those alone who asked for it', () => {
    const { check } = open({ blockPrivate: true });
    expect(check('10.0.0.1', '10.0.0.1')).toBe('10.0.0.1 is a private address (--block-private-ips)');
    expect(check('10.0.0.1', 'intranet.test')).toBe('its address is a private address (--block-private-ips)');
  });
});

describe('--allow-ip-range', () => {
  it('makes exceptions from private addresses, blocklists and metadata', async () => {
    const { check, permits, load } = open({
      blockPrivate: true,
      lists: [file],
      allowed: ['10.0.0.0/31', '198.51.100.7', '169.254.169.254', '::1'],
    });
    await load();
    expect(['10.0.0.1', '::ffff:10.0.0.1', '198.51.100.7', '169.254.169.254', '::1'].map((address) => check(address))).toEqual(
      Array.from({ length: 5 }, () => undefined),
    );
    expect(check('10.0.0.2')).toBeDefined();
    expect(check('198.51.100.8')).toBeDefined();
    expect(permits('169.254.169.254')).toBe(true);
    expect(permits('169.254.170.2')).toBe(false);
  });

  it('of a block of IPv6 does not let the IPv4 addresses within pass', () => {
    const { check, permits } = open({ blockPrivate: true, allowed: ['2002::/16', '64:ff9b::/96'] });
    expect(check('2002:a00:1::')).toBeDefined();
    expect(check('64:ff9b::a00:1')).toBeDefined();
    expect(permits('64:ff9b::a9fe:a9fe')).toBe(false);
  });
});

describe('--ip-blocklist', () => {
  it('refuses what its sources say, in every form, and names the range', async () => {
    const { check, checkHost, load } = open({ lists: [file, 'https://lists.test/drop.txt'] }, { fetch: answering('192.0.2.4/30') });
    expect(check('198.51.100.9')).toBeUndefined();
    await load();
    expect(check('198.51.100.9', '198.51.100.9')).toBe(
      '198.51.100.9 is on a list of this server (--ip-blocklist: 198.51.100.0-198.51.100.255)',
    );
    expect(check('::ffff:192.0.2.5')).toBeDefined();
    expect(check('64:ff9b:1:0:c0:2:500:0')).toBeDefined();
    expect(check('192.0.2.8')).toBeUndefined();
    expect(checkHost('ads.example')).toBe('its name is on a list of this server (--ip-blocklist)');
    expect(checkHost('no-ads.example')).toBeUndefined();
  });

  it.each([
    ['a missing file', '/nowhere/list.txt', offline, /"\/nowhere\/list.txt" of --ip-blocklist is unavailable: there is no such file/],
    [
      'a host that does not answer',
      'https://lists.test/a?key=secret',
      offline,
      /"https:\/\/lists.test\/a" .* is unavailable: nobody answers/,
    ],
    ['an error status', 'https://lists.test/', answering('', 503), /is unavailable: it responded with status 503/],
    ['a page of words', 'https://lists.test/', answering('<html>sign in</html>'), /is unavailable: it contains no address/],
    [
      'another scheme',
      'ftp://me:secret@lists.test/a?key=secret',
      unserved,
      /^the source "ftp:\/\/lists.test\/a" of --ip-blocklist is unavailable: ftp: is neither http: nor https:$/,
    ],
    [
      'a host where nobody listens',
      'http://127.0.0.1:1/a',
      unserved,
      /^the source "http:\/\/127.0.0.1:1\/a" of --ip-blocklist is unavailable: \w+$/,
    ],
    ['no URL', 'https://[/', unserved, /is unavailable: it is not a URL$/],
    ['nothing', 'https://lists.test/', answering(''), /is unavailable: it contains no address/],
    ['comments alone', 'https://lists.test/', answering('# moved\n\n; elsewhere\n'), /is unavailable: it contains no address/],
  ])('ends the start with the name of the source: %s', async (_name, source, fetch, message) => {
    await expect(open({ lists: [source] }, { fetch }).load()).rejects.toMatchObject({
      code: 'boot_source_unavailable',
      message: expect.stringMatching(message) as string,
    });
  });

  it('keeps the former list and warns if a source becomes unavailable', async () => {
    const answers = [answering('192.0.2.1'), offline, answering('192.0.2.2')];
    const warn = vi.fn();
    const { check, load } = open(
      { lists: ['https://lists.test/?key=secret'] },
      { fetch: (url, options) => (answers.shift() ?? offline)(url, options), log: { ...silentLogger, warn } },
    );
    await load();
    await load();
    expect(check('192.0.2.1')).toBeDefined();
    expect(warn).toHaveBeenCalledOnce();
    expect(warn.mock.calls[0]?.[0]).toMatchObject({ source: 'https://lists.test/' });
    expect(JSON.stringify(warn.mock.calls)).not.toContain('secret');
    await load();
    expect([check('192.0.2.1'), check('192.0.2.2')]).toEqual([undefined, expect.any(String)]);
  });

  it.each(['', '\n', '# nothing today\n', '{"type":"metadata"}'])(
    'keeps the former list and warns where a later one has no entry: %j',
    async (text) => {
      const answers = [answering('192.0.2.1'), answering(text)];
      const warn = vi.fn();
      const fetch: Outbound['fetch'] = (url, options) => (answers.shift() ?? offline)(url, options);
      const { check, load } = open({ lists: ['https://lists.test/'] }, { fetch, log: { ...silentLogger, warn } });
      await load();
      await load();
      expect(check('192.0.2.1')).toBeDefined();
      expect(warn).toHaveBeenCalledOnce();
    },
  );

  it('keeps the former list and warns where a later one has too many ranges', async () => {
    const long = Array.from({ length: 2 ** 20 + 1 }, (_, at) => `${(at >>> 16).toString(16)}:${(at & 0xffff).toString(16)}::1`).join('\n');
    const answers = [answering('192.0.2.1'), answering(long)];
    const warn = vi.fn();
    const fetch: Outbound['fetch'] = (url, options) => (answers.shift() ?? offline)(url, options);
    const { check, load } = open({ lists: ['https://lists.test/'] }, { fetch, log: { ...silentLogger, warn } });
    await load();
    await load();
    expect(check('192.0.2.1')).toBeDefined();
    expect(warn.mock.calls).toEqual([
      [expect.objectContaining({ reason: expect.stringMatching(/more than 1048576 ranges/) as string }), expect.any(String)],
    ]);
  });

  it('is read beside the work of the server: its event loop goes on', async () => {
    let turns = 0;
    const turn = () => {
      turns += 1;
      next = setImmediate(turn);
    };
    let next = setImmediate(turn);
    await open({ lists: ['https://lists.test/'] }, { fetch: answering('192.0.2.0/25 what\n'.repeat(200_000)) }).load();
    clearImmediate(next);
    expect(turns).toBeGreaterThan(10);
  });

  it('changes nothing if a new source is unavailable', async () => {
    const { check, load } = open({ lists: [file] });
    await load();
    await expect(load({ lists: ['/nowhere'], blockPrivate: true })).rejects.toThrow('/nowhere');
    expect(check('198.51.100.9')).toBeDefined();
    expect(check('10.0.0.1')).toBeUndefined();
  });

  it('warns of lines that it did not understand, and shows the first of them', async () => {
    const [info, warn] = [vi.fn(), vi.fn()];
    const { load } = open(
      { lists: ['https://lists.test/'] },
      { fetch: answering('192.0.2.1\nwhat\nelse\n'), log: { ...silentLogger, info, warn } },
    );
    await load();
    const facts = { source: 'https://lists.test/', ranges: 1, names: 0, skipped: 2 };
    const samples = [
      { line: 2, text: 'what' },
      { line: 3, text: 'else' },
    ];
    expect(warn.mock.calls).toEqual([[{ ...facts, samples }, 'blocklist read; lines that could not be parsed block nothing']]);
    await load();
    expect(warn).toHaveBeenCalledTimes(1);
    expect(info).not.toHaveBeenCalled();
  });
});

describe('two readings at a time', () => {
  it('leave in force what was put there last, list by list', async () => {
    let release = (): void => undefined;
    const slow: Outbound['fetch'] = async (url, options) => {
      await new Promise<void>((resolve) => (release = resolve));
      return await answering('192.0.2.1')(url, options);
    };
    const lists = [file, 'https://lists.test/'];
    const fetches = [answering('192.0.2.9'), slow];
    const { policy, load, check } = open({ lists }, { fetch: (url, options) => (fetches.shift() ?? offline)(url, options) });
    await load();
    const update = policy.read({ ...NONE, lists }, 'update');
    await writeFile(file, '203.0.113.0/24\n');
    (await policy.read({ ...NONE, lists }, 'reload'))();
    release();
    (await update)();
    await writeFile(file, '198.51.100.0/24\n0.0.0.0 ads.example\n');
    expect(['203.0.113.1', '192.0.2.1', '198.51.100.1', '192.0.2.9'].map((address) => check(address) !== undefined)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('--server-update-blocklist-interval', () => {
  it('tells of a list at the level info where it has changed, and nothing else', async () => {
    const answers = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((text) => answering(text));
    const info = vi.fn();
    const fetch: Outbound['fetch'] = (url, options) => (answers.shift() ?? offline)(url, options);
    const { load } = open({ lists: ['https://lists.test/'] }, { fetch, log: { ...silentLogger, info } });
    await load();
    await load();
    expect(info).toHaveBeenCalledTimes(1);
    await load();
    expect(info).toHaveBeenCalledTimes(2);
  });

  it('has the lists read again and again, each time after the last reading is over, until it is stopped', async () => {
    vi.useFakeTimers();
    try {
      const ends: (() => void)[] = [];
      const configure = vi.fn(
        () =>
          new Promise<() => void>((resolve) =>
            ends.push(() => {
              resolve(() => undefined);
            }),
          ),
      );
      const updates = createUpdates(configure, silentLogger);
      updates.follow(NONE, 60);
      await vi.advanceTimersByTimeAsync(59_999);
      expect(configure).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(configure).toHaveBeenCalledTimes(1);
      await vi.advanceTimersByTimeAsync(600_000);
      expect(configure).toHaveBeenCalledTimes(1);
      ends[0]?.();
      await vi.advanceTimersByTimeAsync(60_000);
      expect(configure).toHaveBeenCalledTimes(2);
      updates.stop();
      ends[1]?.();
      await vi.advanceTimersByTimeAsync(600_000);
      expect(configure).toHaveBeenCalledTimes(2);
    } finally {
      vi.useRealTimers();
    }
  });
});
