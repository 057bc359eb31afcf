import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { NO_ASSETS, PlatenError } from '@platen/kernel';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { rendered, type FakeRender, type TestServer } from '../../server/test-server.js';
import { basicHeader, bearer, inSeconds, openGuarded, PAGE, SECRET, signedPage, signSorted } from './auth-server.js';

const URL_PAIR = 'url=http%3A%2F%2Fa.test%2F';
let server: TestServer;
beforeAll(async () => {
  server = await openGuarded(['signed'], { flags: { 'server-signed-url-max-age': 1000 } });
});
afterAll(() => server[Symbol.asyncDispose]());

const open: TestServer[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});

const NEVER = { status: 403, reason: 'bad_signature' };
async function ask(query: string, { path = '/', method = 'GET' } = {}) {
  const response = await fetch(`${server.url}${path}?${query}`, { method });
  await response.arrayBuffer();
  return { status: response.status, reason: server.records.at(-1)?.error?.details.reason };
}

describe('I10: attacks on signed URLs', () => {
  const expires = String(inSeconds(500));
  const good = signSorted(`expires=${expires}&${URL_PAIR}`);
  const signature = good.slice(-64);

  it('the link itself holds', async () => {
    expect((await ask(good)).status).toBe(200);
  });

  it.each<[string, string, { readonly status: number; readonly reason?: string | undefined }]>([
    ['a second signature', `${good}&signature=${signature}`, NEVER],
    ['a second signature in front', `signature=x&${good}`, NEVER],
    ['a second expires, past and future', signSorted(`expires=1&expires=${expires}&${URL_PAIR}`), NEVER],
    ['a second expires behind', `${good}&expires=9999999999`, NEVER],
    ['Signature with a capital', good.replace('signature=', 'Signature='), { status: 401, reason: 'missing_signature' }],
    ['EXPIRES in capitals', signSorted(`EXPIRES=${expires}&${URL_PAIR}`), { status: 403, reason: 'missing_expires' }],
    ['an empty signature', good.replace(signature, ''), NEVER],
    ['a bare signature', good.replace(`=${signature}`, ''), NEVER],
    ['a short signature', good.slice(0, -1), NEVER],
    ['a long signature', `${good}0`, NEVER],
    ['a signature in capitals', good.replace(signature, signature.toUpperCase()), NEVER],
    ['a signature with a NUL', `${good}%00`, NEVER],
    ['another digit', good.slice(0, -1) + (good.endsWith('0') ? '1' : '0'), NEVER],
    ['a parameter appended', `${good}&full_page=true`, NEVER],
    ['a parameter put in front', `full_page=true&${good}`, NEVER],
    ['a value changed', good.replace('a.test', 'b.test'), NEVER],
    ['a parameter taken away', good.replace(`&${URL_PAIR}`, ''), NEVER],
    ['a later expires', good.replace(expires, String(Number(expires) + 1)), NEVER],
    ['another secret', signedPage(undefined, `${SECRET}.`), NEVER],
    ['an empty secret', signSorted(`expires=${expires}&${URL_PAIR}`, ''), NEVER],
    ['the prefix as a secret', signSorted(`expires=${expires}&${URL_PAIR}`, `hmac-sha256:${SECRET}`), NEVER],
  ])('%s', async (_name, query, expected) => {
    expect(await ask(query)).toEqual(expected);
  });

  it.each(['1e99', '-1', '1.5', '0x10', ' 5', '5 ', '+5', '', '9999999999999', '１２', 'NaN', 'Infinity'])(
    'rightly signed, but expires=%j is no Unix time',
    async (text) => {
      const canonical = new URLSearchParams({ expires: text, url: 'http://a.test/' }).toString();
      expect(await ask(signSorted(canonical))).toEqual({ status: 403, reason: 'missing_expires' });
    },
  );

  it('a bare expires is none', async () => {
    expect(await ask(signSorted(`expires&${URL_PAIR}`))).toEqual({ status: 403, reason: 'missing_expires' });
  });

  it('a key that stands alone is true and an empty value is unset: neither signature holds for the other', async () => {
    const bare = signSorted(`expires=${expires}&full_page&${URL_PAIR}`);
    const empty = signSorted(`expires=${expires}&full_page=&${URL_PAIR}`);
    expect((await ask(bare)).status).toBe(200);
    expect((await ask(empty)).status).toBe(200);
    expect(await ask(empty.replace('full_page=', 'full_page'))).toEqual(NEVER);
    expect(await ask(bare.replace('full_page', 'full_page='))).toEqual(NEVER);
  });

  it('spelling is not what is signed: order, plus or %20, case of escapes, needless escapes', async () => {
    const signed = signSorted(`cookie=a+b&cookie=c&expires=${expires}&${URL_PAIR}`);
    const end = `signature=${signed.slice(-64)}`;
    for (const query of [
      `${URL_PAIR}&${end}&cookie=c&expires=${expires}&cookie=a%20b`,
      `%75rl=http%3a%2f%2fa.test/&cookie=c&cookie=a+b&${end}&expires=${expires}&&`,
    ])
      expect((await ask(query)).status, query).toBe(200);
  });

  it('keys as of lists are other keys', async () => {
    const signed = signSorted(`cookie=a&expires=${expires}&${URL_PAIR}`);
    expect(await ask(signed.replace('cookie', 'cookie[]'))).toEqual(NEVER);
    expect((await ask(`${good}&signature[]=x`)).status).toBe(403);
  });

  it('what cannot be decoded is refused, signed or not', async () => {
    expect((await ask(signSorted(`cookie=%EF%BF%BD&expires=${expires}&${URL_PAIR}`).replace('%EF%BF%BD', '%ff'))).status).toBe(400);
  });
});

describe('I10: a signature for one thing, used for another', () => {
  const fine = signedPage(inSeconds(500));
  const asset = signSorted(`expires=${String(inSeconds(500))}&id=AAAAAAAAAAAAAAAAAAAAAA`);

  it('GET and HEAD are the same, and DELETE forgets what GET would answer with', async () => {
    expect((await ask(fine, { method: 'HEAD' })).status).toBe(200);
    // Let in: this server has no cache.
    expect((await ask(fine, { method: 'DELETE' })).status).toBe(404);
  });

  it('of / on /assets, and of /assets on /, is let in to parameters that the other does not have: 400', async () => {
    expect((await ask(fine, { path: '/assets' })).status).toBe(400);
    expect((await ask(asset)).status).toBe(400);
    expect((await ask(asset, { path: '/assets' })).status).toBe(404);
  });
});

describe('a page of another site', () => {
  const image = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'image' };
  it.each<[string, Readonly<Record<string, string>>, string, number]>([
    ['embeds what was signed', image, signedPage(), 200],
    ['embeds it also where its browser knows a password', { ...image, ...basicHeader('ann:pass:word') }, signedPage(), 200],
    ['embeds nothing else by that password', { ...image, ...basicHeader('ann:pass:word') }, PAGE, 403],
    ['embeds nothing by a wrong password', { ...image, ...basicHeader('ann:x') }, signedPage(), 401],
    ['embeds nothing whose signature does not hold', image, signedPage(1), 403],
    ['embeds nothing unsigned', image, PAGE, 401],
    ['runs nothing that was signed', { ...image, 'sec-fetch-dest': 'script' }, signedPage(), 403],
    ['is not this server under another name', { ...image, host: 'evil.example' }, signedPage(), 403],
  ])('%s', async (_name, headers, query, status) => {
    const both = await openGuarded(['signed', 'basic']);
    open.push(both);
    const asked = request(`${both.url}/?${query}`, { headers, agent: false }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    response.resume();
    expect(response.statusCode).toBe(status);
  });
});

describe('--server-signed-url-max-age', () => {
  it('how far expires may lie ahead', async () => {
    expect((await ask(signedPage(inSeconds(1000)))).status).toBe(200);
    expect(await ask(signedPage(inSeconds(1100)))).toEqual({ status: 403, reason: 'expires_too_far' });
  });
});

describe('the secret', () => {
  it('may be written with its algorithm; of several each holds, and they are read again', async () => {
    const rotating = await openGuarded([], { flags: { 'server-signed-url': ['hmac-sha256:new', 'old'] } });
    open.push(rotating);
    const status = async (secret: string) => (await rotating.get(signedPage(undefined, secret))).status;
    expect([await status('new'), await status('old'), await status('hmac-sha256:new')]).toEqual([200, 200, 403]);
    await rotating.server.reload({ 'server-signed-url': ['newer'], 'server-signed-url-max-age': 10 });
    expect([await status('new'), await status('newer')]).toEqual([403, 403]);
    expect(rotating.records.map(({ error }) => error?.details.reason).slice(-2)).toEqual(['bad_signature', 'expires_too_far']);
    await rotating.server.reload({});
    expect([await status('new'), await status('newer')]).toEqual([403, 200]);
  });
});

const leavesAsset: FakeRender = async (plan, options) => {
  const head = { name: 'har', contentType: 'application/json', extension: 'har' };
  const kept = await options.store?.put(head, Buffer.from('{}'), new AbortController().signal);
  if (kept === undefined) throw new PlatenError('internal', 'there is no store');
  return { ...(await rendered(plan, options)), assets: { ...NO_ASSETS, kept: [kept] } };
};

describe('asset links in a render response are signed with the same secret', () => {
  const follow = async (from: TestServer, answer: Response) => {
    const query = /<\/assets\?([^>]*)>/.exec(answer.headers.get('link') ?? '')?.[1] ?? '';
    return { query: new URLSearchParams(query), url: `${from.url}/assets?${query}` };
  };

  it('until the asset expires, and hold for nothing else', async () => {
    const signed = await openGuarded(['signed'], { render: leavesAsset, flags: { 'server-additional-asset-expiration': 100 } });
    open.push(signed);
    const { query, url } = await follow(signed, await signed.post({ url: 'http://a.test/' }));
    expect(Number(query.get('expires'))).toBeLessThanOrEqual(inSeconds(100));
    expect(Number(query.get('expires'))).toBeGreaterThan(inSeconds(60));
    const { signature = '', ...rest } = Object.fromEntries(query);
    expect(signSorted(new URLSearchParams(rest).toString().split('&').sort().join('&')).slice(-64)).toBe(signature);
    expect(await (await fetch(url)).text()).toBe('{}');
    expect((await fetch(url.replace(/expires=\d/, 'expires=9'))).status).toBe(403);
    expect((await fetch(url.replace(/&signature=.*/, ''))).status).toBe(401);
  });

  it('or no further ahead than the server would believe', async () => {
    const signed = await openGuarded(['signed'], { render: leavesAsset, flags: { 'server-signed-url-max-age': 20 } });
    open.push(signed);
    const { query, url } = await follow(signed, await signed.get(signedPage(inSeconds(10))));
    expect(Number(query.get('expires'))).toBeLessThanOrEqual(inSeconds(20));
    expect((await fetch(url)).status).toBe(200);
  });

  it('and may be followed with a credential header too; without signed URLs they are not signed', async () => {
    const both = await openGuarded(['signed', 'token'], { render: leavesAsset });
    const plain = await openGuarded(['token'], { render: leavesAsset });
    open.push(both, plain);
    const headers = bearer('tok-1');
    const { url } = await follow(both, await both.get(URL_PAIR, { headers }));
    expect((await fetch(url, { headers })).status).toBe(200);
    expect((await fetch(url)).status).toBe(200);
    const unsigned = await follow(plain, await plain.get(URL_PAIR, { headers }));
    expect([...unsigned.query.keys()]).toEqual(['id']);
    expect((await fetch(unsigned.url)).status).toBe(401);
  });
});
