import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readRequest } from '../../../server/src/boot/request-options.js';
import { collectFlags, type FlagSet } from '../../../server/src/flags/flag-set.js';
import { optionNames, parseArguments } from '../../../server/src/flags/parse-arguments.js';
import { readFileKeys, resolveFlags, secretFiles } from '../../../server/src/flags/resolve-flags.js';

const listing = definePlugin({
  name: 'listing',
  flags: { keys: { type: 'array', items: { type: 'string', minLength: 1 }, minItems: 1, description: 'Keys.', 'x-secret': true } },
});
const LISTED = collectFlags([{ definition: listing, packageName: 'y', version: '0.0.0' }]);

const single = definePlugin({
  name: 'single',
  flags: { key: { type: 'string', minLength: 1, description: 'Key.', 'x-secret': true } },
});
const ONE = collectFlags([{ definition: single, packageName: 'z', version: '0.0.0' }]);

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterAll(() => rm(folder, { recursive: true }));

const resolve = (args: readonly string[], flagSet: FlagSet) =>
  resolveFlags(flagSet, { options: parseArguments(args, optionNames(flagSet, {})).options, environment: {}, file: {} });

describe('request keys that are files on the command line', () => {
  const keys = {
    list: { type: 'array', items: { type: 'object' }, 'x-at-file': true },
    word: { type: 'string', 'x-secret': true, 'x-at-file': true },
    other: { type: 'string' },
  } as const;
  const read = (args: readonly string[]) =>
    readFileKeys(readRequest(parseArguments(args, optionNames(collectFlags([]), keys)).options, keys).request, {
      flagSet: collectFlags([]),
      keys,
    });

  it('are read: JSON, and the text of a secret without its last line break', async () => {
    const [json, text] = [join(folder, 'list.json'), join(folder, 'word')];
    await writeFile(json, '[{"a": 1},\n {"b": 2}]\n');
    await writeFile(text, 'a,b @c\n');
    expect(await read(['--list', `@${json}`, '--word', `@${text}`, '--other', '@none'])).toEqual({
      ...{ list: [{ a: 1 }, { b: 2 }], word: 'a,b @c', other: '@none' },
    });
  });

  it('may be given directly unless they are secret, and the error says how', async () => {
    expect(await read(['--list', '[{"a": 1}]'])).toEqual({ list: [{ a: 1 }] });
    await expect(read(['--word', 'hunter2'])).rejects.toThrow(/^--word takes a file: --word @FILE$/);
    await expect(read(['--list', `@${join(folder, 'none')}`])).rejects.toThrow('there is no such file');
    await writeFile(join(folder, 'broken'), '[{');
    await expect(read(['--list', `@${join(folder, 'broken')}`])).rejects.toThrow(/^--list: .*broken is not JSON: /);
  });
});

describe('secrets', () => {
  it('secrets of a list stand a line each in a file, without its blank lines and remarks; given as they are they may begin with #', async () => {
    const path = join(folder, 'list');
    await writeFile(path, '# ours\n \t\none\r\n\n   \ntwo\n');
    expect(await resolve([`--keys=@${path}`, '--keys', '#three'], LISTED)).toMatchObject({ keys: ['one', 'two', '#three'] });
    for (const text of ['  \n\t\n', '   ', '# a remark alone\n']) {
      await writeFile(path, text);
      await expect(resolve([`--keys=@${path}`, '--keys', 'x'], LISTED), JSON.stringify(text)).rejects.toThrow('--keys is empty');
      if (text.startsWith('#')) continue;
      await expect(resolve([`--key=@${path}`], ONE)).rejects.toThrow('--key is empty');
    }
  });

  it('the files of secrets are those of the source that counts: an empty variable hides none', () => {
    const filesOf = (variable: string | undefined, value: unknown) =>
      secretFiles(ONE, { options: [], environment: { PLATEN_KEY: variable }, file: { key: value } });
    expect([filesOf('', '@b'), filesOf(undefined, '@b'), filesOf('@a', '@b'), filesOf('plain', '@b'), filesOf('', undefined)]).toEqual([
      ['b'],
      ['b'],
      ['a'],
      [],
      [],
    ]);
  });
});
