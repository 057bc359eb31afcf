import { afterAll, expect, it } from 'vitest';
import { openHarProber } from './har-prober.js';
import { openSecureSite, trusting } from './secure-site.js';

const prober = openHarProber(trusting);
afterAll(() => prober[Symbol.asyncDispose]());

it('HTTP/2 over TLS: headers, certificate and time of the handshake', async () => {
  await using site = await openSecureSite('<title>secure</title>');
  const har = await prober.har({ url: site.url });
  const entry = har.all('/').find(({ request }) => request.url === site.url);
  expect(entry).toMatchObject({
    serverIPAddress: '127.0.0.1',
    request: { httpVersion: 'HTTP/2', headersSize: -1 },
    response: {
      httpVersion: 'HTTP/2',
      headersSize: -1,
      cookies: [
        { name: 'a', value: '1' },
        { name: 'b', value: '2' },
      ],
      content: { text: '<title>secure</title>' },
    },
    _securityDetails: { protocol: 'TLS 1.3', subjectName: '127.0.0.1' },
  });
  const { connect = -1, ssl = -1 } = entry?.timings ?? {};
  expect(ssl).toBeGreaterThan(0);
  expect(connect).toBeGreaterThanOrEqual(ssl);
  expect(entry?.request.headers).toContainEqual({ name: ':authority', value: new URL(site.url).host });
});
