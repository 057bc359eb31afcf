import { signUrl } from '@platen/server/signing';
import { describe, expect, it, vi } from 'vitest';
import { openClient, PAGE } from './fake-server.js';

describe('addresses', () => {
  const { client } = openClient([], { secret: 'hmac-sha256:a shared secret' });

  it('have lists as repeated keys, and nothing of what is unset', () => {
    const url = client.url({ ...PAGE, cookie: ['a=1', 'b=ä 2'], full_page: true, timeout: 0, header: null, css: undefined });
    const query = 'url=https%3A%2F%2Fa.test%2F&cookie=a%3D1&cookie=b%3D%C3%A4+2&full_page=true&timeout=0';
    expect(url).toBe(`https://render.test/behind/?${query}`);
  });

  it.each([{ upload: { 'a.html': 'data:,' } }, { steps: [{ click: 'a' }] }])('have no objects: %j', (params) => {
    expect(() => client.url({ ...PAGE, ...params })).toThrow(/"(upload|steps)" is an object/);
  });

  it.each([
    '/?url=https://a.test/',
    'https://render.test/?b=2&a=1&a=0&B=3#fragment',
    '/?full_page&url=x&full_page=true&full_page=',
    '/?text=a%20b+c%2B~*!%27()&ä=%C3%B6',
    '/?k=\u{1f600}&k=\uffff&\u{1f600}=1&\uffff=1',
    '/?aa=1&a=2&a=10&a',
    '/?q=a?b&?x=1',
    '/?a=1&expires=5&signature=ab&&',
    '/assets?id=nUkSnXkCkI2t0vJ3m3bq4A',
  ])('are signed as by the server: %s', async (url) => {
    vi.useFakeTimers({ now: 1_700_000_000_000, toFake: ['Date'] });
    try {
      const secret = 'a shared secret';
      expect(await client.sign(url, { expiresIn: 60 })).toBe(signUrl(url, { secret, expires: 1_700_000_060 }));
      expect(await client.sign(url)).toBe(signUrl(url, { secret, expires: 1_700_003_600 }));
    } finally {
      vi.useRealTimers();
    }
  });

  it('are not signed without a secret', async () => {
    await expect(openClient([]).client.sign('/?a=1')).rejects.toThrow('createClient needs "secret"');
  });
});
