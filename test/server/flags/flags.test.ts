import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatFlags } from '../../../server/src/cli/help.js';
import { UsageError } from '../../../server/src/flags/usage-error.js';
import { BASE_FLAGS, collectFlags, environmentName } from '../../../server/src/flags/flag-set.js';
import { optionNames, parseArguments } from '../../../server/src/flags/parse-arguments.js';
import { readConfig } from '../../../server/src/flags/read-config.js';
import { resolveFlags } from '../../../server/src/flags/resolve-flags.js';
import { assertKnown, misspelledVariables } from '../../../server/src/boot/unknown-flag.js';

const plugin = definePlugin({
  name: 'auth-token',
  flags: { 'server-token-auth': { type: 'string', minLength: 4, description: 'Token auth requirement for requests.', 'x-secret': true } },
});
const flagSet = collectFlags([{ definition: plugin, packageName: 'x', version: '0.0.0' }]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

interface Sources {
  readonly environment?: Record<string, string>;
  readonly file?: Record<string, unknown>;
}

const parse = (args: readonly string[]) =>
  parseArguments(args, optionNames(flagSet, { full_page: { type: 'boolean' }, cookie: { type: 'array' } }));
const resolve = (args: readonly string[], { environment = {}, file = {} }: Sources = {}) =>
  resolveFlags(flagSet, { options: parse(args).options, environment, file });
const failure = async (args: readonly string[], sources?: Sources) => {
  const error: unknown = await resolve(args, sources).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(UsageError);
  return (error as UsageError).message;
};

describe('parseArguments', () => {
  it('splits options from positionals', () => {
    expect(parse(['http://a/', '--full-page', 'out.png', '--cookie', '-x', '--cookie=a=b', '--no-server', '-', '--', '--help'])).toEqual({
      options: [
        { name: 'full-page', value: undefined },
        { name: 'cookie', value: '-x' },
        { name: 'cookie', value: 'a=b' },
        { name: 'server', value: 'false' },
      ],
      positionals: ['http://a/', 'out.png', '-', '--help'],
      misplaced: new Map(),
    });
  });

  it('a flag that is a switch or a path takes the next word unless that is an option, and stands alone at the end', () => {
    const either = collectFlags([
      {
        definition: definePlugin({ name: 'keeper', flags: { keep: { type: ['boolean', 'string'], minLength: 1, description: 'Keep.' } } }),
        packageName: 'x',
        version: '0.0.0',
      },
    ]);
    const read = (...args: string[]) => parseArguments(args, optionNames(either, {})).options;
    expect(read('--keep')).toEqual([{ name: 'keep', value: 'true' }]);
    expect(read('--keep', '--server')).toEqual([
      { name: 'keep', value: 'true' },
      { name: 'server', value: undefined },
    ]);
    expect(read('--keep', '/var/cache', '--keep=./here', '--keep', 'false').map(({ value }) => value)).toEqual([
      '/var/cache',
      './here',
      'false',
    ]);
  });

  it('knows -h and -v, and keeps what it does not know', () => {
    expect(parse(['-h', '-v', '--nonsense', '--no-nonsense']).options.map(({ name }) => name)).toEqual([
      'help',
      'version',
      'nonsense',
      'no-nonsense',
    ]);
  });
});

describe('a file that begins with a byte order mark', () => {
  it('holds the secret behind it', async () => {
    const path = join(folder, 'marked');
    await writeFile(path, '\uFEFFs3cret\r\n');
    expect(await resolve(['--server-token-auth', `@${path}`])).toMatchObject({ 'server-token-auth': 's3cret' });
  });

  it('is a config file all the same', async () => {
    const [json, yaml] = [join(folder, 'marked.json'), join(folder, 'marked.yaml')];
    await writeFile(json, '\uFEFF{"server": true}');
    await writeFile(yaml, '\uFEFFserver: true\n');
    expect([(await readConfig(json)).values, (await readConfig(yaml)).values]).toEqual([{ server: true }, { server: true }]);
  });
});

describe('resolveFlags', () => {
  it('takes defaults where nobody says anything', async () => {
    expect(await resolve([])).toMatchObject({
      server: false,
      'server-bind-address': '127.0.0.1',
      'server-bind-port': 3000,
      'server-grace-period': 30,
    });
  });

  it('takes the flag before the environment before the file', async () => {
    const environment = { PLATEN_SERVER_BIND_PORT: '2' };
    const file = { 'server-bind-port': 3 };
    expect(await resolve(['--server-bind-port', '1'], { environment, file })).toMatchObject({ 'server-bind-port': 1 });
    expect(await resolve([], { environment, file })).toMatchObject({ 'server-bind-port': 2 });
    expect(await resolve([], { file })).toMatchObject({ 'server-bind-port': 3 });
  });

  it('every flag has an environment variable', async () => {
    expect(environmentName('server-bind-port')).toBe('PLATEN_SERVER_BIND_PORT');
    expect(await resolve([], { environment: { PLATEN_SERVER: 'true', PLATEN_PLUGINS: 'a,b', PLATEN_BROWSER_PATH: '/x' } })).toMatchObject({
      server: true,
      plugins: ['a', 'b'],
      'browser-path': '/x',
    });
    expect(await resolve([], { environment: { PLATEN_SERVER: '' } })).toMatchObject({ server: false });
    expect(await resolve([], { environment: { PLATEN_HELP: 'true', PLATEN_VERSION: 'x' } })).toMatchObject({ help: false, version: false });
  });

  it('names where a wrong value stands, if not on the command line, and what it is unless it is a secret', async () => {
    expect(await failure([], { environment: { PLATEN_SERVER_BIND_PORT: 'http' } })).toMatch(
      /^--server-bind-port must be .* \(the environment variable PLATEN_SERVER_BIND_PORT is "http"\)$/,
    );
    expect(await failure([], { file: { 'server-bind-port': -1 } })).toMatch(/\("server-bind-port" in the config file is -1\)$/);
    expect(await failure(['--server-bind-port', 'http'])).not.toContain('(');
    expect(await failure([], { environment: { PLATEN_SERVER_TOKEN_AUTH: 'abc' } })).toBe(
      '--server-token-auth is not valid (the environment variable PLATEN_SERVER_TOKEN_AUTH)',
    );
  });

  it('lists may be repeated, separated by commas, or JSON', async () => {
    expect(await resolve(['--plugins', 'a, b', '--plugins', 'c', '--plugin', '["./d,e"]'])).toMatchObject({
      plugins: ['a', 'b', 'c'],
      plugin: ['./d,e'],
    });
    expect(await resolve([], { file: { plugins: ['a', 'b'] } })).toMatchObject({ plugins: ['a', 'b'] });
  });

  it('a secret may be a file, and no error repeats it', async () => {
    const path = join(folder, 'token');
    await writeFile(path, 'hunter2\n');
    expect(await resolve(['--server-token-auth', `@${path}`])).toMatchObject({ 'server-token-auth': 'hunter2' });
    expect(await resolve([], { file: { 'server-token-auth': `@${path}` } })).toMatchObject({ 'server-token-auth': 'hunter2' });
    expect(await resolve([], { environment: { PLATEN_SERVER_TOKEN_AUTH: 'plain' } })).toMatchObject({ 'server-token-auth': 'plain' });
    expect(await failure(['--server-token-auth', `@${path}.missing`])).toContain('there is no such file');
    expect(await failure(['--server-token-auth', 'abc'])).toBe('--server-token-auth is not valid');
  });

  it('a file may have remarks before its one secret, which may begin as they do', async () => {
    const path = join(folder, 'remarks');
    const read = async (text: string) => {
      await writeFile(path, text);
      return (await resolve(['--server-token-auth', `@${path}`]))['server-token-auth'];
    };
    expect(await read('# of May\r\n#\r\nhunter2\r\n')).toBe('hunter2');
    expect(await read('#hunter2\n')).toBe('#hunter2');
  });

  it('a secret that turns out empty is refused, an empty variable is none', async () => {
    const path = join(folder, 'empty');
    await writeFile(path, '\n');
    expect(await failure(['--server-token-auth', ''])).toBe('--server-token-auth is empty');
    expect(await failure([`--server-token-auth=@${path}`])).toBe('--server-token-auth is empty');
    expect(await failure([], { environment: { PLATEN_SERVER_TOKEN_AUTH: `@${path}` } })).toBe('--server-token-auth is empty');
    expect(await failure([], { file: { 'server-token-auth': '' } })).toBe('--server-token-auth is empty');
    expect(await resolve([], { environment: { PLATEN_SERVER_TOKEN_AUTH: '' } })).not.toHaveProperty('server-token-auth');
  });

  it.each([
    [['--server-bind-address', ''], /--server-bind-address must be a non-empty string/],
    [['--plugins', 'a,,b'], /--plugins\[1\]|"plugins\[1\]"/],
    [['--server-bind-port', 'http'], /--server-bind-port must be .*between 0 and 65535/],
    [['--server-bind-port', '70000'], /between 0 and 65535/],
    [['--server-bind-port', '0x10'], /--server-bind-port/],
    [['--server-bind-port'], /needs a value/],
    [['--server-bind-port', '1', '--server-bind-port', '2'], /given twice/],
    [['--log-level', 'loud'], /one of: debug, info/],
    [['--server=maybe'], /--server must be true or false/],
    [['--server-grace-period', '-1'], /--server-grace-period/],
  ])('%j is refused', async (args, message) => {
    expect(await failure(args)).toMatch(message);
  });

  it("a config file's values keep their JSON types", async () => {
    expect(await failure([], { file: { 'server-bind-port': '3000' } })).toMatch(/--server-bind-port must be/);
  });
});

describe('unknown flags', () => {
  const absent = [
    {
      name: 'metrics',
      packageName: 'm',
      version: '0.0.0',
      directory: '/',
      entry: '',
      kernelRange: '*',
      requires: [],
      outputs: ['pdf'],
      keys: ['pdf_scale'],
      flags: ['server-enable-prometheus'],
    },
  ];
  const validate = (args: readonly string[], file = {}, serving = true) => {
    try {
      const known = { flagSet, keys: { full_page: { type: 'boolean' } }, loaded: [], absent, serving } as const;
      assertKnown({ options: parse(args).options, environment: {}, file }, known);
    } catch (error) {
      return error instanceof UsageError ? `${error.message} / ${error.hint ?? ''}` : String(error);
    }
    return '';
  };

  it.each([
    [['--server-bind-prot', '1'], 'unknown flag --server-bind-prot / did you mean --server-bind-port?'],
    [['--server-enable-prometheus'], '--server-enable-prometheus needs the plugin "metrics", which is not enabled'],
    [['--pdf-scale', '1'], '--pdf-scale needs the plugin "metrics"'],
    [['--full-page'], '--full-page is a request key, not a startup flag'],
    [['--full_page'], '--full_page is a request key, not a startup flag'],
    [['--server-port', '1'], 'unknown flag --server-port / did you mean --server-bind-port?'],
    [['--server_bind_port', '1'], 'unknown flag --server_bind_port / did you mean --server-bind-port?'],
    [['--xyzzy'], 'unknown flag --xyzzy / `platen help flags`'],
  ])('%j', (args, text) => {
    expect(validate(args)).toContain(text);
  });

  it('a key spelled with underscores is a slip where it may be a flag', () => {
    expect(validate(['--full_page'], {}, false)).toBe('unknown flag --full_page / did you mean --full-page?');
    expect(validate([], { full_page: true }, false)).toContain('"full_page" in the config file is a request key');
  });

  it('in the config file', () => {
    expect(validate([], { help: true })).toBe('"help" in the config file has no effect there / use --help on the command line');
    expect(validate([], { config: 'other.json' })).toContain('"config" in the config file has no effect there');
    expect(validate([], { 'server-bind-prot': 1 })).toContain(
      'unknown flag "server-bind-prot" in the config file / did you mean --server-bind-port?',
    );
    expect(validate([], JSON.parse('{"__proto__":1}'))).toContain('unknown flag');
  });

  it('in the environment are named where they look like a slip', () => {
    expect(misspelledVariables({ PLATEN_SERVER_BIND_PROT: '1', PLATEN_SOMEWHERE: 'x', PATH: 'x', PLATEN_SERVER: '1' }, flagSet)).toEqual([
      ['PLATEN_SERVER_BIND_PROT', 'PLATEN_SERVER_BIND_PORT'],
    ]);
  });
});

describe('collectFlags', () => {
  it('refuses two owners of one flag', () => {
    const twice = definePlugin({ name: 'two', flags: { server: { type: 'boolean', description: 'x' } } });
    expect(() => collectFlags([{ definition: twice, packageName: 'x', version: '0.0.0' }])).toThrow(
      expect.objectContaining({ code: 'boot_invalid_flag' }),
    );
  });
});

describe('help', () => {
  it('has every flag with its environment variable and default', () => {
    const text = formatFlags(flagSet);
    for (const name of flagSet.keys()) {
      expect(text).toContain(`--${name}`);
      expect(text.includes(environmentName(name)), name).toBe(!['help', 'restart', 'version'].includes(name));
    }
    expect(text).toContain('default 3000');
    expect(text).toContain('Flags of the plugin "auth-token"');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(140);
    expect(BASE_FLAGS.size).toBeGreaterThan(10);
  });
});
