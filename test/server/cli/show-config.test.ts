import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../../helpers/run-cli.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function config(args: readonly string[], { text = '', env = {} }: { text?: string; env?: Record<string, string> } = {}) {
  await writeFile(join(folder, 'platen.yaml'), text);
  const { code, stdout, stderr } = await runCli(['config', '--plugins', 'auth-basic,auth-token,limits', ...args], {
    cwd: folder,
    env: { PLATEN_CONFIG: 'platen.yaml', ...env },
  });
  return { code, stdout: stdout.toString(), stderr };
}

describe('platen config', () => {
  it('prints every value and where it comes from: command line, environment, config file, default', async () => {
    const text = 'server: true\nserver-bind-port: 1\nserver-grace-period: 9\nserver-max-concurrency: 4\n';
    const { code, stdout } = await config(['--server-bind-port', '8080', '--json'], { text, env: { PLATEN_SERVER_GRACE_PERIOD: '7.5' } });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      server: { value: true, origin: 'file', from: 'config file, line 1' },
      'server-bind-port': { value: 8080, origin: 'flag', from: 'command line' },
      'server-grace-period': { value: 7.5, origin: 'environment', from: 'environment variable PLATEN_SERVER_GRACE_PERIOD' },
      'server-max-concurrency': { value: 4, origin: 'file', from: 'config file, line 4' },
      'server-bind-address': { value: '127.0.0.1', origin: 'default', from: 'default' },
      config: { value: 'platen.yaml', origin: 'environment' },
      plugins: { value: ['auth-basic', 'auth-token', 'limits'] },
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
    const { stdout, stderr } = await config(['--server-basic-auth', '@users'], { text });
    expect(`${stdout}${stderr}`).not.toContain('canary');
    expect(stdout).toMatch(/^server-basic-auth: \["\*\*\*","\*\*\*"\] +# command line, read from users$/m);
    expect(stdout).toMatch(/^server-token-auth: \["\*\*\*","\*\*\*"\] +# config file, line 1$/m);
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
    ['', ['--timeout', '3'], '"timeout" is a key of a request'],
    ['', ['more'], '`platen config` takes flags alone'],
  ])('refuses %j %j with 2', async (text, args, told) => {
    const { code, stderr, stdout } = await config(args, { text });
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(told);
  });

  it('names variables that look like a slip', async () => {
    expect(await config([], { env: { PLATEN_SERVER_BIND_PROT: '1' } })).toMatchObject({
      code: 0,
      stderr: 'platen: unknown environment variable PLATEN_SERVER_BIND_PROT: did you mean PLATEN_SERVER_BIND_PORT?\n',
    });
  });
});
