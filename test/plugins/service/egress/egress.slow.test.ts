import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import egress from '@platen/plugin-egress';
import { silentLogger, type Logger } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { runCli, startServer } from '../../../helpers/run-cli.js';
import { openSite, type Site } from '../../../helpers/site.js';
import { openServer } from '../../../server/test-server.js';
import { openProber } from '../../page/probe.js';

let site: Site;
let folder: string;
let list: string;
beforeAll(async () => {
  site = await openSite({
    '/': () =>
      `<script>report = fetch('${site.url('/data', '127.0.0.2')}', { mode: 'no-cors' }).then(() => 'answered', () => 'failed')</script>`,
    '/to-private': () => ({ status: 302, headers: { location: site.url('/data', '127.0.0.2') } }),
    '/data': 'data',
  });
  folder = await mkdtemp(join(tmpdir(), 'egress-'));
  list = join(folder, 'list.txt');
  await writeFile(list, '127.0.0.3\n');
});
afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

describe('a render', () => {
  it('of a refused target is a 403 that names address and rule', async () => {
    await using prober = openProber({ plugins: [egress], flags: { 'block-private-ips': true } });
    await expect(prober.probe({ url: site.url('/data') })).rejects.toMatchObject({
      code: 'target_blocked',
      message: 'the target is blocked by this server: 127.0.0.1 is a loopback address (--block-private-ips)',
    });
    await expect(prober.probe({ url: 'https://10.0.0.1/' })).rejects.toMatchObject({
      message: 'the target is blocked by this server: 10.0.0.1 is a private address (--block-private-ips)',
    });
    expect(site.requests).toEqual([]);
  });

  it('goes on without a refused sub-resource, and says so', async () => {
    const flags = { 'block-private-ips': true, 'allow-ip-range': ['127.0.0.1'] };
    await using prober = openProber({ plugins: [egress], flags });
    const { report, headers } = await prober.probe({ url: site.url('/') });
    expect(report).toBe('failed');
    expect(headers['X-Egress-Refused']).toBe(`127.0.0.2:${String(site.port)}`);
    await expect(prober.probe({ url: site.url('/to-private') })).rejects.toMatchObject({
      code: 'target_blocked',
      details: { target: { url: site.url('/data', '127.0.0.2') } },
    });
    expect(site.requests.filter(({ url }) => url === '/data')).toEqual([]);
  });

  it('has no such header where nothing was refused', async () => {
    await using prober = openProber({ plugins: [egress] });
    expect((await prober.probe({ url: site.url('/data') })).headers).not.toHaveProperty('X-Egress-Refused');
  });

  it('begins when the blocklist is there', async () => {
    await using prober = openProber({ plugins: [egress], flags: { 'ip-blocklist': [list] } });
    await expect(prober.probe({ url: site.url('/data', '127.0.0.3') })).rejects.toMatchObject({
      message: 'the target is blocked by this server: 127.0.0.3 is on a list of this server (--ip-blocklist: 127.0.0.3)',
    });
  });
});

it('a name that is on a list is refused as the target before it is looked up: it has no address', async () => {
  const names = join(folder, 'names.txt');
  await writeFile(names, '0.0.0.0 nowhere.invalid\n');
  await using prober = openProber({ plugins: [egress], flags: { 'ip-blocklist': [names] } });
  await expect(prober.probe({ url: 'http://nowhere.invalid/' })).rejects.toMatchObject({
    code: 'target_blocked',
    message: 'the target is blocked by this server: its name is on a list of this server (--ip-blocklist)',
  });
});

describe('the start', () => {
  it('of a single render ends with the name of an unavailable source', async () => {
    const { code, stderr } = await runCli(['http://127.0.0.1:1/', '-', '--ip-blocklist', '/nowhere/list.txt']);
    expect(stderr).toContain('the source "/nowhere/list.txt" of --ip-blocklist is unavailable: there is no such file');
    expect(code).toBe(2);
  });

  it('of a server does too', async () => {
    await expect(startServer(['--ip-blocklist', list, '--ip-blocklist', site.url('/missing')])).rejects.toThrow(
      `the source "${site.url('/missing')}" of --ip-blocklist is unavailable: it responded with status 404`,
    );
  });

  it('refuses an exception that is none', async () => {
    const { code, stderr } = await runCli(['http://127.0.0.1:1/', '-', '--allow-ip-range', '10.0.0.0/99']);
    expect(stderr).toContain('--allow-ip-range "10.0.0.0/99" is not an address');
    expect(code).toBe(2);
  });
});

it.each([
  [{ 'server-bind-address': '0.0.0.0' }, 1],
  [{ 'server-bind-address': '::' }, 1],
  [{ 'server-bind-address': '0.0.0.0', 'block-private-ips': true }, 0],
  [{ 'server-bind-address': '127.0.0.1' }, 0],
  [{}, 0],
])('a server with %j warns that pages may reach private addresses %d times', async (flags, times) => {
  const warn = vi.fn();
  const log: Logger = { ...silentLogger, warn, child: () => log };
  await (await openServer({ plugins: [egress], flags, log }))[Symbol.asyncDispose]();
  expect(warn.mock.calls.filter(([, text]) => String(text).includes('--block-private-ips'))).toHaveLength(times);
});

it('a hangup signal has the lists and the exceptions of a server read again', async () => {
  const config = join(folder, 'config.json');
  const other = join(folder, 'other.txt');
  await writeFile(other, '192.0.2.1\n');
  await writeFile(config, JSON.stringify({ 'ip-blocklist': [other] }));
  await using server = await startServer(['--config', config]);
  const ask = async (host: string) => {
    const answer = await fetch(`${server.url}/?url=${encodeURIComponent(site.url('/data', host))}&browser_width=100`);
    // The site listens at 127.0.0.1 alone: what is not refused is dialed, and nobody answers.
    return answer.ok ? 'rendered' : ((await answer.json()) as { code: string }).code;
  };
  expect(await ask('127.0.0.3')).toBe('target_unreachable');
  await writeFile(other, '127.0.0.2\n127.0.0.3\n');
  await writeFile(config, JSON.stringify({ 'ip-blocklist': [other], 'allow-ip-range': ['127.0.0.2'] }));
  server.signal('SIGHUP');
  await server.line('the configuration was reloaded');
  expect([await ask('127.0.0.1'), await ask('127.0.0.2'), await ask('127.0.0.3')]).toEqual([
    'rendered',
    'target_unreachable',
    'target_blocked',
  ]);
});
