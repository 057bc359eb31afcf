import { afterEach, describe, expect, it } from 'vitest';
import { sendRaw } from '../../server/raw-http.js';
import type { TestServer } from '../../server/test-server.js';
import { basicHeader, openGuarded, PAGE } from './auth-server.js';

const open: TestServer[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
});
async function withUsers(...users: readonly string[]): Promise<TestServer> {
  const server = await openGuarded([], { flags: { 'server-basic-auth': users } });
  open.push(server);
  return server;
}
const base64 = (text: string | Buffer) => Buffer.from(text).toString('base64');
const status = async (server: TestServer, authorization: string) => (await server.get(PAGE, { headers: { authorization } })).status;

describe('Basic credentials (RFC 7617)', () => {
  it('the first colon parts user and password; the scheme has no case; blanks may be more than one', async () => {
    const server = await withUsers('ann:a:b:c', ':keyonly');
    const right = base64('ann:a:b:c');
    for (const header of [
      `Basic ${right}`,
      `basic ${right}`,
      `BASIC   ${right}`,
      `  Basic ${right}  `,
      `Basic ${right.replace(/=+$/, '')}`,
    ])
      expect(await status(server, header), header).toBe(200);
    expect(await status(server, `Basic ${base64(':keyonly')}`)).toBe(200);
    expect(server.records.at(-1)?.identity).toBe('user-2');
  });

  it('are UTF-8, composed or not', async () => {
    const server = await withUsers('jürgen:pä🔑\u0301e');
    expect(await status(server, `Basic ${base64('jürgen:pä🔑\u0301e'.normalize('NFD'))}`)).toBe(200);
    expect(await status(server, `Basic ${base64('jürgen:pä🔑\u0301e'.normalize('NFC'))}`)).toBe(200);
    expect(await status(server, `Basic ${base64(Buffer.from('jürgen:pä', 'latin1'))}`)).toBe(401);
    expect(server.records[0]?.identity).toBe('jürgen');
  });

  it.each([
    ['nothing', ''],
    ['the scheme alone', 'Basic'],
    ['the scheme and blanks', 'Basic    '],
    ['no scheme', base64('ann:secret')],
    ['no base64', 'Basic ann:secret'],
    ['base64 with rubbish inside', `Basic ${base64('ann:secret').replace('Y', '*Y')}`],
    ['base64 of another alphabet', `Basic ${base64('ann:secret')}-_`],
    ['too much padding', `Basic ${base64('ann:secret')}====`],
    ['something behind', `Basic ${base64('ann:secret')} x`],
    ['a comma and more', `Basic ${base64('ann:secret')}, Basic ${base64('ann:secret')}`],
    ['a part of the password', `Basic ${base64('ann:secre')}`],
    ['more than the password', `Basic ${base64('ann:secrets')}`],
    ['a NUL behind it', `Basic ${base64('ann:secret\0')}`],
    ['another case', `Basic ${base64('ann:Secret')}`],
    ['the user alone', `Basic ${base64('ann')}`],
    ['both swapped', `Basic ${base64('secret:ann')}`],
    ['a tab', `Basic\t${base64('ann:secret')}`],
    ['200 KB', `Basic ${base64('a'.repeat(150_000))}`],
    ['another scheme', `Digest ${base64('ann:secret')}`],
  ])('refuses %s, always with 401', async (_name, header) => {
    const server = await withUsers('ann:secret', 'bob:other');
    expect(await status(server, header)).toBe(401);
    expect(server.records.at(-1)?.error?.details.reason).toBe('wrong_credential');
    expect(await status(server, `Basic ${base64('bob:other')}`)).toBe(200);
  });

  it('refuses several Authorization headers, though one of them or all are right', async () => {
    const server = await withUsers('ann:secret');
    const right = `Authorization: ${basicHeader('ann:secret').authorization}\r\n`;
    const ask = (headers: string) =>
      sendRaw(server.port, `GET /?${PAGE} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${headers}\r\n`);
    expect((await ask(right)).status).toBe(200);
    expect((await ask(right + right)).status).toBe(401);
    expect((await ask(`${right}Authorization: Basic x\r\n`)).status).toBe(401);
    expect(server.records.at(-1)?.error?.details.reason).toBe('wrong_credential');
  });

  it('are asked for in an absolute-form request too', async () => {
    const server = await withUsers('ann:secret');
    const ask = (target: string) => sendRaw(server.port, `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect((await ask(`http://localhost/?${PAGE}`)).status).toBe(401);
    expect((await ask(`/%73tatus`)).status).toBe(401);
    expect((await ask(`http://localhost/status`)).status).toBe(200);
  });
});
