import { runInNewContext } from 'node:vm';
import { transform } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { globPattern, urlPattern } from '../../../../plugins/navigator/navigator-scripts/src/build-script.js';
import type { Locator } from '../../../../plugins/navigator/navigator-scripts/src/script.js';
import { CLICK, record, state, target, write } from './recorded.js';

it.each(['"', "'", '`${1}', '\\', '\n', '\u2028', '*/', '</script>', '\0', '\\"', `'"\\`])('the text %j stays what it is', async (text) => {
  const actions = [record({ kind: 'fill', ref: 'e1', value: text, why: text })];
  for (const [form, source] of Object.entries(write(actions, { task: text, data: { [text]: text } }))) {
    await transform(source, { loader: form === 'playwright' ? 'ts' : 'js', format: 'esm' });
    const [, literal = ''] = /\.fill\(([^\n]*)\);\n/.exec(source) ?? [];
    expect(runInNewContext(literal)).toBe(text);
  }
});

describe('credentials', () => {
  const SECRETS = ['correct "horse" & battery', 'await', 'page', 'test', "it's\\"];

  it('are in no text, in any form, and the program stays valid', async () => {
    for (const secret of SECRETS) {
      const percent = encodeURIComponent(secret);
      const [base64, json] = [Buffer.from(secret).toString('base64'), JSON.stringify(secret).slice(1, -1)];
      const texts = [`a ${secret} b`, `x ${percent} y`, `z ${base64}`, `w ${json}`].map(
        (text) => ({ by: 'role', role: 'link', name: text }) as const,
      );
      const path: Locator = { by: 'css', parts: ['a:nth-of-type(1)'] };
      const frames = [{ locators: [{ by: 'attribute', name: 'src', value: `/f?${percent}` } as const, path], shadow: 'none' as const }];
      const actions = [
        ...texts.map((locator) =>
          record({ ...CLICK, why: locator.name }, { targets: new Map([['e1', target({ locators: [locator, path], frames })]]) }),
        ),
        record({ kind: 'fill', ref: 'e1', value: `my ${secret}` }),
        record({ kind: 'fill', ref: 'e1', value: 'credential:secret' }),
        record({ kind: 'goto', url: `/x?y=${percent}` }, { after: state(`http://site/hello/${percent}`, 1) }),
      ];
      const end = { tab: 't1', url: `http://site/hello/${percent}?a=1` };
      const scripts = write(actions, {
        secrets: [secret],
        end,
        task: `Use ${secret}`,
        data: { a: secret },
        url: `http://ada:${percent}@site/`,
      });
      for (const [form, source] of Object.entries(scripts)) {
        await transform(source, { loader: form === 'playwright' ? 'ts' : 'js', format: 'esm' });
        const own = Object.values(write([record({ kind: 'fill', ref: 'e1', value: 'credential:secret' }), record(CLICK)])).join('\n');
        for (const form of [secret, percent, base64, json]) if (!own.includes(form)) expect(source).not.toContain(form);
        for (const literal of source.match(/(['"])(?:\\.|(?!\1).)*\1/g) ?? [])
          if (!own.includes(literal)) expect(literal).not.toContain(secret);
        expect(source).toContain('hello\\/[^/?#&]*');
        expect(source).toContain('process.env.CRED_SECRET');
        expect(source).toContain('Set the environment variable');
      }
    }
  });

  it('names become environment variables', () => {
    const actions = [record({ kind: 'fill', ref: 'e1', value: 'credential:e-mail 2' })];
    for (const source of Object.values(write(actions))) expect(source).toContain(`"e-mail 2": process.env.CRED_E_MAIL_2 ?? '',`);
  });
});

it.each([
  ['http://a/b?c=d#e', 'http://a/b?c=d#e', true],
  ['http://a/b?c=d#e', 'http://a/b?c=f#e', false],
  ['http://a:8080/b', 'http://a:8081/b', false],
  ['http://a/orders/12345', 'http://a/orders/99', true],
  ['http://a/orders/12345', 'http://a/orders/99/x', false],
  ['http://a/page/2', 'http://a/page/3', false],
  ['http://a/0f8fad5b-d9cb-469f-a165-70867728950e', 'http://a/7c9e6679-7425-40de-944b-e07fc1f90ae7', true],
  ['http://a/x?token=abcdefgh1234567890&y=1', 'http://a/x?token=&y=1', true],
  ['http://a/deadbeef01', 'http://a/cafe', true],
  ['http://a/a.b(c)*[d]$', 'http://a/a.b(c)*[d]$', true],
  ['http://a/a.b', 'http://a/axb', false],
  ['about:blank', 'about:blank', true],
])('the pattern of %s for %s', (url, other, matches) => {
  expect(new RegExp(urlPattern(url, (text) => text)).test(other)).toBe(matches);
});

it.each([
  ['*/a?b*', 'http://x/a?b=1', true],
  ['*/a?b*', 'http://x/ab', false],
  ['/a', 'https://x:1/a', true],
  ['/a', 'https://x/b/a', false],
])('the goal %s for %s', (glob, url, matches) => {
  expect(new RegExp(globPattern(glob)).test(url)).toBe(matches);
});
