import { describe, expect, it } from 'vitest';
import { callCli } from '../../helpers/call-cli.js';

const TARGET = 'http://127.0.0.1:9/';
const BY_FLAG = '--storage FILE starts from the content of a file';

describe('a word behind an option that cannot be its value', () => {
  it.each([
    [[TARGET, 'page.png', '--with-axtree', 'yaml'], '"yaml" is not a valid value of --with-axtree, which accepts json, true, text, false'],
    [[TARGET, '--with-axtree', 'yaml', 'page.png'], '"yaml" is not a valid value of --with-axtree, which accepts json, true, text, false'],
    [[TARGET, '--with-axtree', 'yaml'], '"yaml" is not a valid value of --with-axtree, which accepts json, true, text, false'],
    [['--with-axtree', 'yaml', TARGET, 'page.png'], '"yaml" is not a valid value of --with-axtree, which accepts json, true, text, false'],
    [['--full-page', 'yes', TARGET, 'page.png'], '--full-page has no separate value\n  omit "yes", or write --full-page=yes'],
    [
      [TARGET, 'page.png', '--browser-no-sandbox', 'true'],
      '--browser-no-sandbox has no separate value\n  omit "true", or write --browser-no-sandbox=true',
    ],
    [[TARGET, 'page.png', '--with-storage', 'state.json'], BY_FLAG],
    [[TARGET, 'page.png', '--with-storage', '@state.json'], BY_FLAG],
    [[TARGET, '--with-storage', '@state.json'], BY_FLAG],
    [[TARGET, 'page.png', '--with-storage=@state.json'], 'does not accept @FILE; it accepts true, false or an object, written as JSON'],
    [[TARGET, 'page.png', '--with-storage', '{broken'], '"with_storage" must be true or false or an object, written as JSON'],
  ])('%s is told what the option takes', async (args, expected) => {
    const { code, stderr } = await callCli(args, {});
    expect(stderr).toContain(expected);
    expect(code).toBe(2);
  });

  it('an option that stands alone before the URL is blamed for nothing', async () => {
    const { code, stderr } = await callCli(['--with-storage', TARGET, 'page.png', 'more'], {});
    expect([code, stderr]).toEqual([2, 'platen: unexpected argument "more": give a URL and at most one file\n']);
  });
});
