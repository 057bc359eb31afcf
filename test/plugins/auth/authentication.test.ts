import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestServer } from '../../server/test-server.js';
import { basicHeader, bearer, inSeconds, openGuarded, PAGE, signedPage, signSorted } from './auth-server.js';

type Which = 'none' | 'basic' | 'token' | 'both' | 'signed' | 'signedBasic' | 'signedToken' | 'all';
const ON = {
  none: [],
  basic: ['basic'],
  token: ['token'],
  both: ['basic', 'token'],
  signed: ['signed'],
  signedBasic: ['signed', 'basic'],
  signedToken: ['signed', 'token'],
  all: ['signed', 'basic', 'token'],
} as const;

let servers: Record<Which, TestServer>;
beforeAll(async () => {
  const opened = await Promise.all(Object.entries(ON).map(async ([name, on]) => [name, await openGuarded(on)] as const));
  servers = Object.fromEntries(opened) as typeof servers;
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server[Symbol.asyncDispose]();
});

const ANN = basicHeader('ann:pass:word');
const OPS = bearer('tok-1');
const WRONG = bearer('wrong');
const BASIC = 'Basic realm="Platen", charset="UTF-8"';
const BEARER = 'Bearer realm="Platen"';

interface Asked {
  readonly headers?: Record<string, string>;
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
}

async function ask(which: Which, { path = '/', query = PAGE, ...init }: Asked = {}): Promise<Response> {
  const { url } = servers[which];
  if (init.method !== 'POST') return await fetch(`${url}${path}?${query}`, init);
  const headers = { 'content-type': 'application/json', ...init.headers };
  return await fetch(`${url}${path}${query === PAGE ? '' : `?${query}`}`, { ...init, headers, body: '{"url":"http://a.test/"}' });
}

/** Status, challenge, and the reason that metrics count by. */
async function verdict(which: Which, asked: Asked = {}): Promise<readonly unknown[]> {
  const response = await ask(which, asked);
  await response.arrayBuffer();
  const reason = servers[which].records.at(-1)?.error?.details.reason;
  return response.ok ? [response.status] : [response.status, response.headers.get('www-authenticate'), reason];
}

describe('the refusal of a request without credentials', () => {
  const detailOf = async (which: Which, asked: Asked = {}) => ((await (await ask(which, asked)).json()) as { detail: string }).detail;

  it('names every way in that the server has for it', async () => {
    const [token, basic] = [await detailOf('signedToken'), await detailOf('signedBasic')];
    expect(token).toMatch(/"Authorization: Bearer <token>", or sign the URL: /);
    expect(basic).toMatch(/"Authorization: Basic <[^>]*>", or sign the URL: /);
    for (const detail of [await detailOf('token'), await detailOf('signedToken', { method: 'POST' })]) expect(detail).not.toContain('sign');
    expect(await detailOf('signed')).toMatch(/^the URL must be signed: [^,]*$/);
  });
});

describe('without any credentials set up', () => {
  it('everybody is let in, whatever they send', async () => {
    expect(await verdict('none')).toEqual([200]);
    expect(await verdict('none', { headers: WRONG })).toEqual([200]);
    // Then they are parameters as any other.
    expect((await ask('none', { query: signedPage() })).status).toBe(400);
  });
});

describe('rule 1, I9: a missing or wrong credential answers 401', () => {
  it.each<[string, Which, Asked, readonly unknown[]]>([
    ['basic, missing', 'basic', {}, [401, BASIC, 'missing_credential']],
    ['basic, wrong', 'basic', { headers: basicHeader('ann:pass') }, [401, BASIC, 'wrong_credential']],
    ['basic, another scheme', 'basic', { headers: OPS }, [401, BASIC, 'wrong_credential']],
    ['token, missing', 'token', {}, [401, BEARER, 'missing_credential']],
    ['token, wrong', 'token', { headers: WRONG }, [401, `${BEARER}, error="invalid_token"`, 'wrong_credential']],
    ['basic, POST without', 'basic', { method: 'POST' }, [401, BASIC, 'missing_credential']],
    ['token, DELETE without', 'token', { method: 'DELETE' }, [401, BEARER, 'missing_credential']],
    ['token, HEAD without', 'token', { method: 'HEAD' }, [401, BEARER, 'missing_credential']],
    ['token, OPTIONS without', 'token', { method: 'OPTIONS' }, [401, BEARER, 'missing_credential']],
    ['basic, assets without', 'basic', { path: '/assets', query: 'id=x' }, [401, BASIC, 'missing_credential']],
    ['basic, a path that is not there', 'basic', { path: '/nowhere' }, [401, BASIC, 'missing_credential']],
    ['basic, metrics without', 'basic', { path: '/metrics' }, [401, BASIC, 'missing_credential']],
    ['basic, status by another method', 'basic', { path: '/status', method: 'POST' }, [401, BASIC, 'missing_credential']],
    ['basic, something like the status', 'basic', { path: '/status/' }, [401, BASIC, 'missing_credential']],
    ['basic, right', 'basic', { headers: ANN }, [200]],
    ['basic, right, by POST', 'basic', { headers: ANN, method: 'POST' }, [200]],
    ['token, right', 'token', { headers: OPS }, [200]],
    ['token, the other one', 'token', { headers: bearer('tok-2') }, [200]],
  ])('%s', async (_name, which, asked, expected) => {
    expect(await verdict(which, asked)).toEqual(expected);
  });

  it('and the health check is for everybody, with any header and none', async () => {
    for (const which of ['basic', 'token', 'signed', 'all'] as const) {
      expect(await verdict(which, { path: '/status', query: '' })).toEqual([200]);
      expect(await verdict(which, { path: '/status', query: '', headers: WRONG })).toEqual([200]);
      expect(await verdict(which, { path: '/status', query: '', method: 'HEAD' })).toEqual([200]);
    }
  });

  it('before parameters are looked at, and without repeating what was sent', async () => {
    const answer = await ask('basic', { query: 'nonsense=1', headers: basicHeader('ann:canary') });
    expect(answer.status).toBe(401);
    const body = await answer.text();
    expect(JSON.parse(body)).toMatchObject({ code: 'unauthorized', status: 401 });
    expect(JSON.parse(body)).not.toHaveProperty('reason');
    expect(body).not.toMatch(/canary|pass:word/);
  });
});

describe('rule 2: when both Basic and token auth are set, only the token authorizes', () => {
  it.each<[string, Asked, readonly unknown[]]>([
    ['the token', { headers: OPS }, [200]],
    ['the user', { headers: ANN }, [401, BEARER, 'wrong_credential']],
    ['nobody', {}, [401, BEARER, 'missing_credential']],
  ])('%s', async (_name, asked, expected) => {
    expect(await verdict('both', asked)).toEqual(expected);
    expect(await verdict('both', { ...asked, method: 'POST' })).toEqual(expected);
  });
});

describe('rule 3: a valid credential header authorizes outright, a wrong one is rejected without checking any signature', () => {
  it.each<[string, Which, Asked, readonly unknown[]]>([
    ['user, unsigned', 'signedBasic', { headers: ANN }, [200]],
    ['token, unsigned', 'signedToken', { headers: OPS }, [200]],
    ['token, with an expired signature', 'signedToken', { headers: OPS, query: signedPage(1) }, [200]],
    ['token, with a wrong signature', 'all', { headers: OPS, query: `${PAGE}&expires=1&signature=no` }, [200]],
    ['wrong user, rightly signed', 'signedBasic', { headers: basicHeader('ann:x'), query: signedPage() }, [401, BASIC, 'wrong_credential']],
    [
      'wrong token, rightly signed',
      'signedToken',
      { headers: WRONG, query: signedPage() },
      [401, `${BEARER}, error="invalid_token"`, 'wrong_credential'],
    ],
    ['user where the token is asked for, rightly signed', 'all', { headers: ANN, query: signedPage() }, [401, BEARER, 'wrong_credential']],
    [
      'any header where there are only signatures',
      'signed',
      { headers: OPS, query: signedPage() },
      [401, 'Signed-URL realm="Platen"', 'wrong_credential'],
    ],
  ])('%s', async (_name, which, asked, expected) => {
    expect(await verdict(which, asked)).toEqual(expected);
  });
});

describe('rule 4: a request with no credential header is checked for a signature when signed URLs are on', () => {
  it.each<[string, Which, Asked, readonly unknown[]]>([
    ['signed', 'signed', { query: signedPage() }, [200]],
    ['signed, with Basic on', 'signedBasic', { query: signedPage() }, [200]],
    ['signed, with tokens on', 'signedToken', { query: signedPage() }, [200]],
    ['signed, with all on', 'all', { query: signedPage() }, [200]],
    ['unsigned', 'signed', {}, [401, 'Signed-URL realm="Platen"', 'missing_signature']],
    ['unsigned, with Basic on', 'signedBasic', {}, [401, BASIC, 'missing_credential']],
    ['unsigned, with tokens on', 'signedToken', {}, [401, BEARER, 'missing_credential']],
    ['expires without signature', 'signed', { query: `${PAGE}&expires=9999999999` }, [401, expect.any(String), 'missing_signature']],
    ['wrongly signed', 'signed', { query: signedPage(undefined, 'other') }, [403, null, 'bad_signature']],
    ['wrongly signed, with tokens on', 'all', { query: signedPage(undefined, 'other') }, [403, null, 'bad_signature']],
    ['expired', 'signed', { query: signedPage(inSeconds(-2)) }, [403, null, 'expired']],
    ['without expires', 'signed', { query: signSorted('url=http%3A%2F%2Fa.test%2F') }, [403, null, 'missing_expires']],
  ])('%s', async (_name, which, asked, expected) => {
    expect(await verdict(which, asked)).toEqual(expected);
  });
});

describe('rule 5: signatures apply to GET /, DELETE / and GET /assets', () => {
  const fine = signSorted(`expires=9999999999&id=x`);
  it.each<[string, Asked, readonly unknown[]]>([
    ['GET /', {}, [401, expect.any(String), 'missing_signature']],
    ['HEAD /', { method: 'HEAD' }, [401, expect.any(String), 'missing_signature']],
    ['HEAD /, signed', { method: 'HEAD', query: signedPage() }, [200]],
    ['DELETE /', { method: 'DELETE' }, [401, expect.any(String), 'missing_signature']],
    ['DELETE / of everything', { method: 'DELETE', query: '' }, [401, expect.any(String), 'missing_signature']],
    ['DELETE /, signed: there is no cache', { method: 'DELETE', query: signedPage() }, [404, null, undefined]],
    ['GET /assets', { path: '/assets', query: 'id=x' }, [401, expect.any(String), 'missing_signature']],
    ['HEAD /assets', { path: '/assets', query: 'id=x', method: 'HEAD' }, [401, expect.any(String), 'missing_signature']],
    ['GET /assets, signed: it is not there', { path: '/assets', query: fine }, [404, null, undefined]],
    ['no other path', { path: '/openapi.json', query: '' }, [404, null, undefined]],
    ['no other method', { method: 'PUT' }, [405, null, undefined]],
  ])('%s', async (_name, asked, expected) => {
    expect(await verdict('signed', asked)).toEqual(expected);
  });
});

describe('rule 6: POST / and /mcp authorize by credential header only', () => {
  it('so a server with signed URLs alone accepts any POST and any MCP request', async () => {
    expect(await verdict('signed', { method: 'POST' })).toEqual([200]);
    expect(await verdict('signed', { method: 'POST', headers: WRONG })).toEqual([200]);
    expect(await verdict('signed', { path: '/mcp', query: '' })).toEqual([404, null, undefined]);
    expect(await verdict('signed', { path: '/mcp', query: '', method: 'POST' })).toEqual([404, null, undefined]);
  });

  it('and with Basic or token auth beside them no signature helps', async () => {
    const signed = signSorted('expires=9999999999');
    expect(await verdict('signedBasic', { method: 'POST' })).toEqual([401, BASIC, 'missing_credential']);
    expect(await verdict('signedToken', { method: 'POST', query: signed })).toEqual([401, BEARER, 'missing_credential']);
    expect(await verdict('signedToken', { path: '/mcp', query: signed })).toEqual([401, BEARER, 'missing_credential']);
    expect(await verdict('signedToken', { method: 'POST', headers: OPS })).toEqual([200]);
  });
});

describe('who asked', () => {
  it('is known to logs and metrics by the name of the credential', async () => {
    const identities = async (which: Which, headers: Record<string, string>) => {
      await (await ask(which, { headers })).arrayBuffer();
      return servers[which].records.at(-1)?.identity;
    };
    expect(await identities('basic', ANN)).toBe('ann');
    expect(await identities('token', OPS)).toBe('ops');
    expect(await identities('token', bearer('tok-2'))).toBe('token-b9d7f2826c');
    expect(await identities('token', WRONG)).toBeUndefined();
  });
});
