import { execFileSync } from 'node:child_process';
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runCli, startServer, type RunningServer } from '../../helpers/run-cli.js';
import { until } from '../../helpers/until.js';

const PLUGIN = `export default {
  name: 'keys',
  flags: { 'test-keys': { type: 'array', items: { type: 'string' }, minItems: 1, description: 'Keys.', 'x-secret': true, 'x-reloads': true } },
  commands: [{ name: 'keys', usage: 'FILE', description: 'Tells of keys.', run: async ([file], { stdout }) => (stdout.write('keys of ' + file + '\\n'), 3) }],
  serve({ hooks }, { options, log }) {
    log.info({ count: options['test-keys'].length }, 'keys at first');
    hooks.reload.tap('keys', (flags) => { log.info({ keys: flags['test-keys'].map((key) => key.length) }, 'keys again'); });
  },
};`;

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await writeFile(join(folder, 'index.mjs'), PLUGIN);
  const platen = { name: 'keys', kernel: '*', flags: ['test-keys'] };
  await writeFile(join(folder, 'package.json'), JSON.stringify({ name: 'keys', version: '1.0.0', main: 'index.mjs', platen }));
});
afterEach(() => rm(folder, { recursive: true }));

const only = () => ['--plugins', 'keys,png', '--plugin', folder];

describe('the configuration, read again', () => {
  it('on SIGHUP and when the file of a secret is replaced: a line each, commas kept, remarks left out', async () => {
    const secrets = join(folder, 'secrets');
    await writeFile(secrets, '# of the team\nalpha\nbe,ta\n');
    await using server = await startServer([...only(), '--test-keys', `@${secrets}`]);
    expect(await server.line('keys at first')).toMatchObject({ count: 2 });
    await writeFile(`${secrets}.new`, 'alpha\nbe,ta\ngamma!\n');
    await rename(`${secrets}.new`, secrets);
    expect(await server.line('keys again')).toMatchObject({ keys: [5, 5, 6] });
    expect(JSON.stringify(server.lines)).not.toContain('gamma');
    await rm(secrets);
    server.signal('SIGHUP');
    expect(await server.line('the configuration could not be reloaded: the previous one stays active')).toMatchObject({
      reason: `cannot read the secret file ${secrets}: there is no such file`,
    });
    expect((await fetch(`${server.url}/status`)).status).toBe(200);
  });
});

describe('a config file in YAML, changed while the server runs', () => {
  it('is read again; what is wrong with it is told with its line, and the former values stay', async () => {
    const config = join(folder, 'platen.yaml');
    await writeFile(config, 'test-keys: [alpha]\n');
    await using server = await startServer([...only(), '--config', config]);
    expect(await server.line('keys at first')).toMatchObject({ count: 1 });
    await writeFile(config, 'test-keys: [alpha]\ntest-keyz: [beta]\n');
    server.signal('SIGHUP');
    expect(await server.line('the configuration could not be reloaded: the previous one stays active')).toMatchObject({
      reason: 'unknown flag "test-keyz" in the config file, line 2: did you mean --test-keys?',
    });
    await writeFile(config, 'test-keys: [alpha, be]\n');
    server.signal('SIGHUP');
    expect(await server.line('keys again')).toMatchObject({ keys: [5, 2] });
    expect(server.lines.map(({ msg }) => msg)).not.toContain('changed flags take effect after a restart');
  });
});

describe('a config file that names another file of a secret', () => {
  it('has that one watched from then on, also where it is not there yet', async () => {
    const [config, former, latter] = ['platen.yaml', 'former', 'latter'].map((name) => join(folder, name)) as [string, string, string];
    await writeFile(former, 'alpha\n');
    await writeFile(config, `test-keys: "@${former}"\n`);
    await using server = await startServer([...only(), '--config', config]);
    // Without a hangup, whose reading would be followed by that of the changed config file.
    await writeFile(`${config}.new`, `test-keys: "@${latter}"\n`);
    await rename(`${config}.new`, config);
    expect(await server.line('the configuration could not be reloaded: the previous one stays active')).toMatchObject({
      reason: `cannot read the secret file ${latter}: there is no such file`,
    });
    await writeFile(`${latter}.new`, 'beta!!\n');
    await rename(`${latter}.new`, latter);
    expect(await server.line('keys again')).toMatchObject({ keys: [6] });
  });
});

const STAYS = 'the configuration could not be reloaded: the previous one stays active';

describe('a reload of what says nothing, or cannot be read to its end', () => {
  const refused = async (server: RunningServer, write: () => unknown) => {
    const count = () => server.lines.filter(({ msg }) => msg === STAYS).length;
    const before = count();
    await write();
    server.signal('SIGHUP');
    await until(() => count() > before);
    return String(server.lines.findLast(({ msg }) => msg === STAYS)?.['reason']);
  };

  it.each([
    ['no longer says anything', '', /is empty now: .*write \{\}/],
    ['has remarks alone', '# test-keys: [alpha]\n', /is empty now/],
    ['is cut off before what started the server', 'test-keys: [alpha]\n', /no longer contains "server"/],
    ['is cut off in a name', 'server: true\ntest-k', /not valid YAML|must contain an object|unknown/],
  ])('is refused where the file %s', async (_, text, reason) => {
    const config = join(folder, 'platen.yaml');
    await writeFile(config, 'test-keys: [alpha]\nserver: true\n');
    await using server = await startServer([...only(), '--config', config], { asked: [] });
    expect(await refused(server, () => writeFile(config, text))).toMatch(reason);
    expect(server.lines.map(({ msg }) => msg)).not.toContain('keys again');
  });

  it('is refused where a pipe takes the place of the file or of a secret, and the next one goes through', async () => {
    const [config, secret] = [join(folder, 'platen.yaml'), join(folder, 'secret')];
    const text = `test-keys: "@${secret}"\n`;
    await writeFile(secret, 'alpha\n');
    await writeFile(config, text);
    await using server = await startServer([...only(), '--config', config]);
    for (const path of [config, secret]) {
      const reason = await refused(server, () => execFileSync('sh', ['-c', 'mkfifo "$0.new" && mv "$0.new" "$0"', path]));
      expect(reason).toContain(`file ${path}: it is not a regular file`);
      await writeFile(`${path}.new`, path === config ? text : 'alpha\n');
      await rename(`${path}.new`, path);
    }
    server.signal('SIGHUP');
    await server.line('keys again');
    server.signal('SIGTERM');
    expect(await server.exited).toBe(0);
  });

  it('begins with a pipe all the same: that is read once', async () => {
    await using server = await startServer([...only(), '--test-keys', '@/dev/stdin'], { input: 'alpha\nbeta' });
    expect(await server.line('keys at first')).toMatchObject({ count: 2 });
  });
});

describe('a flag that a running server cannot change', () => {
  it('is named where a config file changes it, beside those that are taken over', async () => {
    const config = join(folder, 'platen.json');
    await writeFile(config, JSON.stringify({ 'test-keys': ['alpha'] }));
    await using server = await startServer([...only(), '--config', config]);
    await writeFile(config, JSON.stringify({ 'test-keys': ['be'], 'server-grace-period': 5, 'log-level': 'info' }));
    server.signal('SIGHUP');
    expect(await server.line('changed flags take effect after a restart')).toMatchObject({
      level: 'warn',
      flags: ['server-grace-period', 'log-level'],
    });
    expect(await server.line('keys again')).toMatchObject({ keys: [2] });
  });
});

describe('a command of a plugin', () => {
  it('runs with its words, and --help lists it', async () => {
    const installed = await mkdtemp(join(tmpdir(), 'platen-test-'));
    await writeFile(join(installed, 'config.json'), JSON.stringify({ plugin: [folder], plugins: ['keys'] }));
    const options = { env: { PLATEN_CONFIG: join(installed, 'config.json') } };
    const ran = await runCli(['keys', 'a.txt'], options);
    expect([ran.code, ran.stdout.toString()]).toEqual([3, 'keys of a.txt\n']);
    expect((await runCli(['--help'], options)).stdout.toString()).toMatch(/^ +keys +\S.*$/m);
    expect((await runCli(['keyz'], options)).stderr).toContain('platen keys');
    await rm(installed, { recursive: true });
  });
});
