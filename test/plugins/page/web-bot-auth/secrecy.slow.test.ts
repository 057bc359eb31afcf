import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { callCli } from '../../../helpers/call-cli.js';
import { runCli, startServer } from '../../../helpers/run-cli.js';
import { openSite } from '../../../helpers/site.js';
import { AGENT, SETTING } from './bot.js';
import { createKey, toDataUrl } from './keys.js';

test('L5: no private key is told by a log, an answer or a report of the server', async () => {
  const { jwk } = createKey();
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-key-'));
  await writeFile(join(folder, 'bot'), `${AGENT}=${toDataUrl(JSON.stringify(jwk))}\n`);
  const told: string[] = [];
  {
    await using server = await startServer(['--web-bot-auth', `@${join(folder, 'bot')}`, '--log-level', 'debug']);
    const ask = async (params: Readonly<Record<string, string>>) => {
      const response = await fetch(`${server.url}/?${new URLSearchParams({ url: 'data:text/html,x', ...params }).toString()}`);
      told.push(JSON.stringify([...response.headers]), Buffer.from(await response.arrayBuffer()).toString('latin1'));
      return response.status;
    };
    expect(await ask({ output_type: 'html' })).toBe(200);
    expect(await ask({ output_type: 'html', web_bot_auth: SETTING })).toBe(200);
    expect(await ask({ output_type: 'html', web_bot_auth: SETTING.replace('https:', 'http:') })).toBe(400);
    expect(await ask({ output_type: 'html', web_bot_auth: SETTING, nonsense: '1' })).toBe(400);
    expect(await ask({ diagnostics: 'true' })).toBe(200);
    server.signal('SIGTERM');
    await server.exited;
    told.push(JSON.stringify(server.lines));
  }
  await rm(folder, { recursive: true });
  const keyOfRequest = SETTING.slice(SETTING.indexOf('data:'));
  for (const secret of [String(jwk['d']), keyOfRequest, decodeURIComponent(keyOfRequest).split('\n')[1] ?? '']) {
    expect(secret.length).toBeGreaterThan(20);
    expect(told.filter((text) => text.includes(secret))).toEqual([]);
  }
});

test.each(['--web-bot-auth @bot.txt', '--web-bot-auth=@bot.txt'])('a single capture reads the key from a file: %s', async (option) => {
  await using site = await openSite({ '/': '<p>Hello' });
  const cwd = await mkdtemp(join(tmpdir(), 'platen-test-key-'));
  const file = join(cwd, 'bot.txt');
  await writeFile(file, `${SETTING}\n`);
  const args = (words: string) => [site.url('/'), '-', '--output-type', 'txt', ...words.split(' ')];
  const call = () => callCli(args(option.replace('bot.txt', file)));
  expect(await runCli(args(option), { cwd })).toMatchObject({ code: 0, stderr: '' });
  expect(site.requests.find(({ url }) => url === '/')?.headers).toMatchObject({ 'signature-agent': `sig1="${AGENT}"` });
  await writeFile(file, '\n');
  expect(await call()).toMatchObject({ code: 2, stderr: expect.stringContaining('--web-bot-auth is empty') as string });
  await rm(file);
  expect(await call()).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`cannot read the secret file ${file}: there is no such file`) as string,
  });
  await rm(cwd, { recursive: true });
});

test('the help of the key says so', async () => {
  expect(String((await callCli(['help', 'web_bot_auth'])).stdout)).toContain('@FILE');
});
