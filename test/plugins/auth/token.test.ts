import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../../server/raw-http.js';
import type { TestServer } from '../../server/test-server.js';
import { openGuarded, PAGE } from './auth-server.js';

const open: TestServer[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});
async function withTokens(...tokens: readonly string[]): Promise<TestServer> {
  const server = await openGuarded([], { flags: { 'server-token-auth': tokens } });
  open.push(server);
  return server;
}
const status = async (server: TestServer, authorization: string) => (await server.get(PAGE, { headers: { authorization } })).status;

describe('tokens (RFC 6750)', () => {
  it('have a name before the first colon, and may hold equals signs and, behind a colon, colons', async () => {
    const server = await withTokens('c2VjcmV0==', 'ci:b2s=', ':a:b', 'ops:c:d');
    const identity = async (token: string) => {
      expect(await status(server, `Bearer ${token}`), token).toBe(200);
      return server.records.at(-1)?.identity;
    };
    // `printf c2VjcmV0== | sha256sum`: its jobs stay its own where the lines of the file move.
    expect(await identity('c2VjcmV0==')).toBe('token-ef8e95629a');
    expect(await identity('b2s=')).toBe('ci');
    expect(await identity('a:b')).toMatch(/^token-[0-9a-f]{10}$/);
    expect(await identity('c:d')).toBe('ops');
    expect(await status(server, 'Bearer ci:b2s=')).toBe(401);
  });

  it('the scheme has no case, blanks may be more than one', async () => {
    const server = await withTokens('abc');
    for (const header of ['bearer abc', 'BEARER abc', 'Bearer    abc', ' Bearer abc ']) expect(await status(server, header)).toBe(200);
  });

  it.each([
    ['nothing', ''],
    ['the scheme alone', 'Bearer'],
    ['the token alone', 'abc'],
    ['a part', 'Bearer ab'],
    ['more', 'Bearer abcd'],
    ['another case', 'Bearer ABC'],
    ['two tokens', 'Bearer abc abc'],
    ['quotes', 'Bearer "abc"'],
    ['another scheme', 'Token abc'],
    ['200 KB', `Bearer ${'a'.repeat(200_000)}`],
  ])('refuses %s, always with 401', async (_name, header) => {
    const server = await withTokens('abc');
    expect(await status(server, header)).toBe(401);
  });

  it('refuses several Authorization headers, and a NUL is no request', async () => {
    const server = await withTokens('abc');
    const ask = (headers: string) =>
      sendRaw(server.port, `GET /?${PAGE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
    expect((await ask('Authorization: Bearer abc\r\n')).status).toBe(200);
    expect((await ask('Authorization: Bearer abc\r\nauthorization: Bearer abc\r\n')).status).toBe(401);
    expect((await ask('Authorization: Bearer abc\0\r\n')).status).toBe(400);
  });
});
