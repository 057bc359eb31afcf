import basic from '@platen/plugin-auth-basic';
import signedUrl from '@platen/plugin-auth-signed-url';
import token from '@platen/plugin-auth-token';
import { describe, expect, it } from 'vitest';
import { collectFlags } from '../../../server/src/flags/flag-set.js';
import { resolveFlags } from '../../../server/src/flags/resolve-flags.js';
import { UsageError } from '../../../server/src/flags/usage-error.js';
import { assertKnown } from '../../../server/src/boot/unknown-flag.js';

const flagSet = collectFlags([basic, signedUrl, token].map((definition) => ({ definition, packageName: 'x', version: '0.0.0' })));
const resolve = (name: string, ...values: readonly string[]) =>
  resolveFlags(flagSet, { options: values.map((value) => ({ name, value })), environment: {}, file: {} });

describe('flags that hold credentials', () => {
  it('may be repeated, and keep commas, colons and equals signs', async () => {
    expect(await resolve('server-basic-auth', 'a:b,c', ':d:e')).toMatchObject({ 'server-basic-auth': ['a:b,c', ':d:e'] });
    expect(await resolve('server-token-auth', 'c2Vj==', 'n:t=', ':a:b')).toMatchObject({ 'server-token-auth': ['c2Vj==', 'n:t=', ':a:b'] });
    expect(await resolve('server-signed-url', 'hmac-sha256:s', 'foo:b,r')).toMatchObject({
      'server-signed-url': ['hmac-sha256:s', 'foo:b,r'],
    });
  });

  it.each([
    ['server-basic-auth', 'canary', 'USER:PASSWORD'],
    ['server-basic-auth', 'canary:', 'USER:PASSWORD'],
    ['server-basic-auth', 'canary:a\tb', 'USER:PASSWORD'],
    ['server-token-auth', 'canary x', 'TOKEN or NAME:TOKEN'],
    ['server-token-auth', 'canäry', 'TOKEN or NAME:TOKEN'],
    ['server-token-auth', 'canary~name:x', 'TOKEN or NAME:TOKEN'],
    ['server-token-auth', 'canary:', 'TOKEN or NAME:TOKEN'],
    ['server-signed-url', 'hmac-sha512:canary', 'SECRET or hmac-sha256:SECRET'],
    ['server-signed-url', 'hmac-sha256:', 'SECRET or hmac-sha256:SECRET'],
    ['server-basic-auth', '# only a remark', 'USER:PASSWORD'],
  ])('--%s %j is refused, with the form and without the value', async (flag, value, form) => {
    const error: unknown = await resolve(flag, value).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect(String(error)).toContain(`--${flag} is not valid: it must be ${form}`);
    expect(String(error)).not.toContain('can');
  });

  it('in the environment are not passed over because their plugin is not enabled', () => {
    const absent = [{ name: 'auth-basic', flags: ['server-basic-auth'], keys: [] }] as never;
    const sources = { options: [], environment: { PLATEN_SERVER_BASIC_AUTH: 'a:b' }, file: {} };
    const known = { flagSet: collectFlags([]), keys: {}, loaded: [], absent };
    expect(() => assertKnown(sources, { ...known, serving: true })).toThrow(
      'PLATEN_SERVER_BASIC_AUTH needs the plugin "auth-basic", which is not enabled',
    );
    expect(() => assertKnown(sources, { ...known, serving: false })).not.toThrow();
    expect(() => assertKnown({ ...sources, environment: { PLATEN_SERVER_BASIC_AUTH: '' } }, { ...known, serving: true })).not.toThrow();
  });
});
