import { definePlugin } from '@platen/kernel';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSite, type Site } from '../../../helpers/site.js';
import { AGENT, KEY, openBot, reportOf, SETTING, SIGNATORY } from './bot.js';
import { createKey, toDataUrl } from './keys.js';
import { verifySigned } from './verify.js';

let site: Site;

beforeAll(async () => {
  site = await openSite({ '/page': '<!doctype html>page', '/key.pem': KEY.pem, '/no-key': 'hello', '/key.jwk': JSON.stringify(KEY.jwk) });
});

afterAll(() => site[Symbol.asyncDispose]());

const pages = () => site.requests.filter(({ url }) => url === '/page');
const lastPage = () => {
  const last = pages().at(-1);
  if (last === undefined) throw new Error('the page was not asked for');
  return last;
};

test.each(['/key.pem', '/key.jwk'])('a key is fetched from a URL (%s), once, and not with a signature', async (path) => {
  await using bot = openBot();
  const params = { url: site.url('/page'), web_bot_auth: `${AGENT}=${site.url(path)}` };
  await reportOf(bot, params);
  await verifySigned(lastPage(), SIGNATORY);
  await reportOf(bot, params);
  await verifySigned(lastPage(), SIGNATORY);
  const fetches = site.requests.filter(({ url }) => url === path);
  expect(fetches).toHaveLength(1);
  expect(fetches[0]?.headers).not.toHaveProperty('signature');
});

test('a key that is unavailable, or is not a key, is a 400 before the target is asked', async () => {
  await using bot = openBot();
  const before = pages().length;
  for (const [path, detail] of [
    ['/nothing', `could not be fetched: 127.0.0.1:${String(site.port)} responded with 404`],
    ['/no-key', 'this one is neither'],
  ] as const) {
    const rendering = reportOf(bot, { url: site.url('/page'), web_bot_auth: `${AGENT}=${site.url(path)}` });
    await expect(rendering).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining(detail),
      details: { errors: [{ parameter: 'web_bot_auth' }] },
    });
  }
  expect(pages()).toHaveLength(before);
});

test('S9: a key is fetched from no address that the rules of the server refuse, and the client is not told the rule', async () => {
  const checker = definePlugin({
    name: 'checker',
    apply({ outbound }) {
      outbound.addAddressFilter(({ port }) => (port === site.port ? 'the rule' : undefined));
    },
  });
  await using bot = openBot({ plugins: [checker] });
  const before = site.requests.length;
  const rendering = reportOf(bot, { url: 'data:text/html,x', web_bot_auth: `${AGENT}=${site.url('/key.pem')}` });
  await expect(rendering).rejects.toMatchObject({
    code: 'invalid_parameters',
    message: `"web_bot_auth" has a KEY that could not be fetched from 127.0.0.1:${String(site.port)}`,
  });
  expect(site.requests).toHaveLength(before);
});

test('a wrong setting is a 400 that names the key, what is valid, and no secret', async () => {
  await using bot = openBot();
  const wrong = () =>
    bot.kernel.plan(
      bot.kernel.validate({ url: site.url('/page'), output_type: 'report', web_bot_auth: `bot=${toDataUrl(KEY.pem)}` }, 'query'),
    );
  expect(wrong).toThrow(
    expect.objectContaining({
      code: 'invalid_parameters',
      message: expect.stringMatching(/^"web_bot_auth" must begin with the AGENT, an https:\/\/ origin/),
    }),
  );
});

test('the server’s own setting signs every render, and a request’s replaces it', async () => {
  const own = createKey();
  const flags = { 'web-bot-auth': `https://server.example=${toDataUrl(JSON.stringify(own.jwk))}` };
  await using bot = openBot({ flags });
  await reportOf(bot, { url: site.url('/page') });
  await verifySigned(lastPage(), { agent: 'https://server.example', publicKey: own.publicKey });
  await reportOf(bot, { url: site.url('/page'), web_bot_auth: SETTING });
  await verifySigned(lastPage(), SIGNATORY);
  await reportOf(bot, { url: site.url('/page'), web_bot_auth: null });
  await verifySigned(lastPage(), { agent: 'https://server.example', publicKey: own.publicKey });
});

test('a wrong setting of the server’s own ends its start', async () => {
  expect(() => openBot({ flags: { 'web-bot-auth': `${AGENT}=data:,hello` } })).toThrow(
    expect.objectContaining({ code: 'boot_invalid_flag', message: expect.stringMatching(/^--web-bot-auth must have a KEY/) }),
  );
  await using bot = openBot({ flags: { 'web-bot-auth': `${AGENT}=${site.url('/nothing')}` } });
  await expect(bot.kernel.prepare()).rejects.toMatchObject({
    code: 'boot_invalid_flag',
    message: expect.stringContaining('responded with 404'),
  });
});

test('a header of the request’s own does not replace the signature', async () => {
  await using bot = openBot();
  await reportOf(bot, {
    url: site.url('/page'),
    header: ['signature-agent: evil="https://evil.example"', 'X-A: 1'],
    web_bot_auth: SETTING,
  });
  expect(lastPage().headers).toMatchObject({ 'x-a': '1' });
  await verifySigned(lastPage(), SIGNATORY);
});
