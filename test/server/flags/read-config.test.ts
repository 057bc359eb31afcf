import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UsageError } from '../../../server/src/flags/usage-error.js';
import { readConfig } from '../../../server/src/flags/read-config.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function read(name: string, text: string) {
  const path = join(folder, name);
  await writeFile(path, text);
  return await readConfig(path);
}

async function refusal(name: string, text: string): Promise<string> {
  const error: unknown = await read(name, text).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(UsageError);
  return error instanceof UsageError ? `${error.message} / ${error.hint ?? ''}` : '';
}

describe('a config file in JSON', () => {
  it.each([
    ['[]', /must contain an object/],
    ['null', /must contain an object/],
    ['{', /not valid JSON .* line 1, column 2/],
    ['', /not valid JSON/],
    ['{"server-token-auth": ["a"], "server": true, "server-token-auth": ["b"]}', /is not valid .* "server-token-auth" is given twice$/],
  ])('%s is refused', async (text, message) => {
    expect(await refusal('bad.json', text)).toMatch(message);
  });

  it('is what every other ending is taken for', async () => {
    expect((await read('config', '{"server": true}')).values).toEqual({ server: true });
    expect(await refusal('config.txt', 'server: true')).toContain('not valid JSON');
  });

  it('that is not there is named', async () => {
    await expect(readConfig(join(folder, 'missing.json'))).rejects.toThrow(/missing.json: there is no such file/);
  });
});

describe('a config file in YAML', () => {
  it('holds the types of the core schema, and knows the line of each flag', async () => {
    const text =
      '# a server\nserver: true\n\nserver-bind-port: 8080\nplugins: [png, pdf]\nserver-token-auth:\n  - "a: #b"\n  - c\nlog-level: warn\n';
    const { values, lines } = await read('config.yaml', text);
    expect(values).toEqual({
      server: true,
      'server-bind-port': 8080,
      plugins: ['png', 'pdf'],
      'server-token-auth': ['a: #b', 'c'],
      'log-level': 'warn',
    });
    expect(Object.fromEntries(lines)).toEqual({ server: 2, 'server-bind-port': 4, plugins: 5, 'server-token-auth': 6, 'log-level': 9 });
  });

  it('may be JSON, may be named .yml, may be empty', async () => {
    expect((await read('config.yml', '{"server": true}')).values).toEqual({ server: true });
    expect((await read('empty.yaml', '# nothing\n')).values).toEqual({});
  });

  it('takes yes for a text: no country becomes a switch', async () => {
    expect((await read('yes.yaml', 'server: yes\nlist: [no, 010]')).values).toEqual({ server: 'yes', list: ['no', 10] });
  });

  it.each([
    ['server: true\nserver: false\n', /line 2, column 1: Map keys must be unique/],
    ['server: true\n  server-bind-port: 1\n', /line 1, column 9: Nested mappings/],
    ['a: [1, 2\nb: 3\n', /line \d, column \d+: /],
    ['a: "canary-secret\n', /line \d, column \d+: Missing closing/],
    ['a: !canary-secret b\n', /line 1, column 4: Unresolved tag/],
    ['a: *canary-secret\n', /an alias is undefined|Unresolved alias/],
    ['? [1, 2]\n: a\n', /line 1, column 3: /],
    ['a: 1\n---\nb: 2\n', /line 2, column 1: .*a second document starts here; a config file must contain one$/],
    ['\tserver: true\n', /line 1, column 1: Tabs/],
    ['a: canary-secret: b\n', /line 1, column \d+: Nested mappings/],
    ['- server\n', /must contain an object/],
    ['just words\n', /must contain an object/],
  ])('%j is refused where it is wrong, and not repeated', async (text, message) => {
    const told = await refusal('bad.yaml', text);
    expect(told).toMatch(message);
    expect(told).not.toContain('canary');
  });

  it('that multiplies itself by aliases is refused', async () => {
    const levels = Array.from(
      { length: 9 },
      (_, at) =>
        `a${String(at + 1)}: &a${String(at + 1)} [${Array(9)
          .fill(`*a${String(at)}`)
          .join(', ')}]`,
    );
    expect(await refusal('bomb.yaml', `a0: &a0 [x]\n${levels.join('\n')}\n`)).toContain('too many aliases are expanded');
  });
});
