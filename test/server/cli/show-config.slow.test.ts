import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { callCli } from '../../helpers/call-cli.js';
import { runCli } from '../../helpers/run-cli.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const PLAIN_FILE = fileURLToPath(import.meta.url);

async function listenOnAnyPort() {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end('||a.test^');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    asked: () => asked,
    async [Symbol.asyncDispose]() {
      server.close();
      await once(server, 'close');
    },
  };
}

interface Setting {
  readonly text?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly call?: typeof runCli;
}

async function config(args: readonly string[], { text = '', env = {}, call = callCli }: Setting = {}) {
  const file = join(folder, 'platen.yaml');
  await writeFile(file, text);
  const { code, stdout, stderr } = await call(['config', '--plugins', 'auth-basic,auth-token,limits,png', ...args], {
    cwd: folder,
    env: { PLATEN_CONFIG: file, ...env },
  });
  return { code, stdout: stdout.toString(), stderr };
}

describe('platen config', () => {
  it('prints every value and where it comes from: command line, environment, config file, default', async () => {
    const text = 'server: true\nserver-bind-port: 1\nserver-grace-period: 9\nserver-max-concurrency: 4\n';
    const env = { PLATEN_SERVER_GRACE_PERIOD: '7.5', PLATEN_CONFIG: 'platen.yaml' };
    // Only a process has its working directory to find the file in.
    const { code, stdout } = await config(['--server-bind-port', '8080', '--json'], { text, env, call: runCli });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      server: { value: true, origin: 'file', from: 'config file, line 1' },
      'server-bind-port': { value: 8080, origin: 'flag', from: 'command line' },
      'server-grace-period': { value: 7.5, origin: 'environment', from: 'environment variable PLATEN_SERVER_GRACE_PERIOD' },
      'server-max-concurrency': { value: 4, origin: 'file', from: 'config file, line 4' },
      'server-bind-address': { value: '127.0.0.1', origin: 'default', from: 'default' },
      config: { value: 'platen.yaml', origin: 'environment' },
      plugins: { value: ['auth-basic', 'auth-token', 'limits', 'png'] },
    });
    expect(Object.keys(JSON.parse(stdout))).not.toContain('help');
  });

  it('is YAML that says the same', async () => {
    const text = 'server-max-concurrency: 4 # a remark\n';
    const [yaml, json] = [await config([], { text }), await config(['--json'], { text })];
    const values = Object.fromEntries(
      Object.entries<{ value: unknown }>(JSON.parse(json.stdout)).map(([name, { value }]) => [name, value]),
    );
    expect(parse(yaml.stdout)).toEqual(values);
    expect(yaml.stdout).toMatch(/^server-max-concurrency: 4 +# config file, line 1$/m);
  });

  it('masks secrets from every origin, and names their files', async () => {
    await writeFile(join(folder, 'users'), 'ann:canary-file\nbob:canary-too\n');
    const text = 'server-token-auth: [canary-one, canary-two]\n';
    const { stdout, stderr } = await config(['--server-basic-auth', '@users'], { text, call: runCli });
    expect(`${stdout}${stderr}`).not.toContain('canary');
    expect(stdout).toMatch(/^server-basic-auth: \["\*\*\*","\*\*\*"\] +# command line, read from users$/m);
    expect(stdout).toMatch(/^server-token-auth: \["\*\*\*","\*\*\*"\] +# config file, line 1$/m);
  });

  it('masks what a URL carries: all before the last @ of its authority, and the values of its query', async () => {
    const urls = [
      'https://user:canary@canary@lists.test/x?token=canary&canary',
      'https://user:canary/canary@lists.test/y',
      'http://lists.test/z?a=canary#end',
    ];
    const { code, stdout } = await callCli(['config', '--json', ...urls.flatMap((url) => ['--ip-blocklist', url])], { cwd: folder }).then(
      ({ code: ended, stdout: out }) => ({ code: ended, stdout: out.toString() }),
    );
    expect([code, stdout.includes('canary')]).toEqual([0, false]);
    expect(JSON.parse(stdout)).toMatchObject({
      'ip-blocklist': { value: ['https://***@lists.test/x?token=***&***', 'https://***@lists.test/y', 'http://lists.test/z?a=***#end'] },
    });
  });

  it('takes null for unset', async () => {
    const { stdout } = await config(['--json'], { text: 'server-bind-port:\n' });
    expect(JSON.parse(stdout)).toMatchObject({ 'server-bind-port': { value: 3000, origin: 'default' } });
  });

  it.each([
    ['server-bind-prot: 1\n', [], 'unknown flag "server-bind-prot" in the config file, line 1\n  did you mean --server-bind-port?'],
    ['\nserver-bind-port: -1\n', [], '("server-bind-port" in the config file, line 2 is -1)'],
    ['server: maybe\n', [], '("server" in the config file, line 1 is "maybe")'],
    ['server-token-auth:\n', [], '"server-token-auth" in the config file, line 1 is empty'],
    ['help: true\n', [], '"help" in the config file, line 1 has no effect there'],
    ['', ['--timeout', '3'], '--timeout is a request key'],
    ['', ['more'], '`platen config` accepts only flags'],
  ])('refuses %j %j with 2', async (text, args, told) => {
    const { code, stderr, stdout } = await config(args, { text });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(told);
  });

  it.each([
    [['--server-prometheus-auth', 'a:b'], 'requires --server-enable-prometheus'],
    [['--server-enable-prometheus', '--server-prometheus-bind-address', '999.1.1.1'], 'cannot listen on 999.1.1.1: it is not an address'],
    [
      [
        '--server-enable-prometheus',
        '--server-bind-port',
        '7631',
        '--server-prometheus-bind-address',
        '0.0.0.0',
        '--server-prometheus-bind-port',
        '7631',
      ],
      'cannot listen on 0.0.0.0: another listener of this server uses that address',
    ],
    [['--license-public-key', 'nonsense'], '--license-public-key is not valid'],
    [['--server-cache', `${PLAIN_FILE}/cache`], `--server-cache: cannot write to ${PLAIN_FILE}/cache: ${PLAIN_FILE} is not a directory`],
    [['--allow-ip-range', 'nonsense'], '--allow-ip-range "nonsense" is not an address'],
    [['--ip-blocklist', '/nonexist'], 'the source "/nonexist" of --ip-blocklist is unavailable'],
    [['--adblock-rules', '/nonexist'], 'the source "/nonexist" of --adblock-rules is unavailable'],
    [['--adblock-rules', PLAIN_FILE, '--storage', '/nonexist'], '--storage: the file "/nonexist" cannot be read'],
    [['--server', '--web-bot-auth', 'nonsense'], '--web-bot-auth'],
    [['--ffmpeg-path', '/nonexist'], '--ffmpeg-path is not a program'],
    [['--server-bind-address', '999.1.1.1'], 'cannot listen on 999.1.1.1: it is not an address'],
    [['--plugins', 'limits'], 'no plugin with an output type is enabled'],
  ])('refuses what a start would: %j', async (args, told) => {
    const { code, stderr, stdout } = await callCli(['config', ...args], { cwd: folder });
    expect({ code, stdout: stdout.toString() }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(told);
  });

  it('fetches, writes and binds nothing', async () => {
    await using taken = await listenOnAnyPort();
    const url = `http://127.0.0.1:${String(taken.port)}/list`;
    const args = ['--adblock-rules', url, '--ip-blocklist', url, '--server-cache', join(folder, 'cache'), '--server-enable-docs'];
    const { code } = await callCli(['config', '--server', '--server-bind-port', String(taken.port), ...args], { cwd: folder });
    expect({ code, asked: taken.asked(), made: await readdir(folder) }).toEqual({
      code: 0,
      asked: 0,
      made: expect.not.arrayContaining(['cache']),
    });
  });

  it('names variables that look like a slip', async () => {
    expect(await config([], { env: { PLATEN_SERVER_BIND_PROT: '1' } })).toMatchObject({
      code: 0,
      stderr: 'platen: unknown environment variable PLATEN_SERVER_BIND_PROT: did you mean PLATEN_SERVER_BIND_PORT?\n',
    });
  });
});
