import { definePlugin } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { collectFlags, environmentName } from '../../../server/src/flags/flag-set.js';
import { resolveFlags } from '../../../server/src/flags/resolve-flags.js';

describe('on and off', () => {
  const kept = collectFlags([
    {
      definition: definePlugin({
        name: 'keeper',
        flags: {
          keep: { type: ['boolean', 'string'], minLength: 1, description: 'Keep.' },
          many: { type: ['boolean', 'integer'], description: 'Many.' },
        },
      }),
      packageName: 'x',
      version: '0.0.0',
    },
  ]);
  const read = async (name: 'server' | 'keep' | 'many', word: string) => {
    const resolved = await Promise.all([
      resolveFlags(kept, { options: [{ name, value: word }], environment: {}, file: {} }),
      resolveFlags(kept, { options: [], environment: { [environmentName(name)]: word }, file: {} }),
      resolveFlags(kept, { options: [], environment: {}, file: { [name]: word } }),
    ]);
    return [...new Set(resolved.map((flags) => flags[name]))];
  };

  it.each(['true', 'TRUE', 'Yes', 'on', '1'])('%s is on, wherever and of whatever flag that takes it', async (word) => {
    expect([await read('server', word), await read('keep', word)]).toEqual([[true], [true]]);
  });

  it.each(['false', 'False', 'NO', 'off', '0'])('%s is off', async (word) => {
    expect([await read('server', word), await read('keep', word)]).toEqual([[false], [false]]);
    expect(await resolveFlags(kept, { options: [], environment: {}, file: { keep: 0 } })).toMatchObject({ keep: false });
  });

  it('what is no such word is the text that it is, or refused; digits stay numbers where a flag takes those', async () => {
    expect(await read('keep', './off')).toEqual(['./off']);
    expect(await read('keep', 'offline')).toEqual(['offline']);
    await expect(read('server', 'maybe')).rejects.toThrow(/--server must be true or false/);
    expect(await resolveFlags(kept, { options: [], environment: { PLATEN_MANY: '1' }, file: {} })).toMatchObject({ many: 1 });
  });
});
