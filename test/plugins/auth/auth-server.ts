import { createHmac } from 'node:crypto';
import basic from '@platen/plugin-auth-basic';
import signedUrl from '@platen/plugin-auth-signed-url';
import token from '@platen/plugin-auth-token';
import { openServer, type TestServer, type TestServerOptions } from '../../server/test-server.js';

export const PAGE = 'url=http://a.test/';
export const SECRET = 'a shared secret';
const FLAGS = {
  basic: { 'server-basic-auth': ['ann:pass:word'] },
  token: { 'server-token-auth': ['ops:tok-1', 'tok-2'] },
  signed: { 'server-signed-url': [SECRET] },
};

/** A server with all three plugins installed, of which those are on that are named. */
export async function openGuarded(
  on: readonly (keyof typeof FLAGS)[],
  { flags, ...options }: Omit<TestServerOptions, 'plugins'> = {},
): Promise<TestServer> {
  return await openServer({
    ...options,
    plugins: [basic, signedUrl, token],
    flags: { ...Object.assign({}, ...on.map((each) => FLAGS[each])), ...flags },
  });
}

export const basicHeader = (user: string) => ({ authorization: `Basic ${Buffer.from(user).toString('base64')}` });
export const bearer = (value: string) => ({ authorization: `Bearer ${value}` });
export const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;

/** Signs a query whose parts stand in their order already: no code of the server's takes part. */
export function signSorted(query: string, secret = SECRET): string {
  return `${query}&signature=${createHmac('sha256', secret).update(query).digest('hex')}`;
}

/** `expires` goes before `url`. */
export const signedPage = (expires = inSeconds(60), secret = SECRET) =>
  signSorted(`expires=${String(expires)}&url=http%3A%2F%2Fa.test%2F`, secret);
