import { describe, expect, it } from 'vitest';
import { readExceptions, readOperatorProxies } from '../../../../plugins/service/proxy/src/choose-proxy.js';
import { readProxy } from '../../../../plugins/service/proxy/src/proxy-server.js';

const OPTIONS = { resolvesNames: false, namedByOperator: true };

describe('the URL of a proxy', () => {
  it.each([
    ['http://proxy.example', { host: 'proxy.example', port: 80, secure: false, resolvesNames: false }],
    ['https://Proxy.Example:8443/', { host: 'proxy.example', port: 8443, secure: true }],
    ['socks5://[::1]:9050', { host: '::1', port: 9050, secure: false, resolvesNames: false }],
    ['socks5://proxy', { port: 1080 }],
    ['socks5h://proxy', { port: 1080, resolvesNames: true }],
  ])('%s', (text, expected) => {
    expect(readProxy(text, OPTIONS)).toMatchObject(expected);
  });

  it('has no credentials in its label', () => {
    expect(readProxy('http://ada:secret@proxy.example:1', OPTIONS)?.label).toBe('http://proxy.example:1');
  });

  it.each([
    'proxy.example:3128',
    'ftp://proxy',
    'http://proxy/path',
    'http://proxy?a',
    'socks4://proxy',
    'http://',
    'http://a%:b@proxy',
    '',
  ])('is refused: %s', (text) => {
    expect(readProxy(text, OPTIONS)).toBeUndefined();
  });
});

describe('the variables', () => {
  const chosen = (environment: Readonly<Record<string, string>>, secure: boolean, host = 'site.example') =>
    readOperatorProxies({ flag: undefined, resolvesNames: false, environment }).choose({ host, port: secure ? 443 : 80, secure })?.label;

  it('are by scheme, with ALL_PROXY for both; lower case goes first', () => {
    const both = { HTTP_PROXY: 'http://plain:1', HTTPS_PROXY: 'https://secure:2' };
    expect([chosen(both, false), chosen(both, true)]).toEqual(['http://plain:1', 'https://secure:2']);
    expect([chosen({ ALL_PROXY: 'socks5://all' }, false), chosen({ all_proxy: 'socks5://all' }, true)]).toEqual([
      'socks5://all',
      'socks5://all',
    ]);
    expect(chosen({ HTTP_PROXY: 'http://upper:1', http_proxy: 'lower:1' }, false)).toBe('http://lower:1');
    expect([chosen({}, true), chosen({ HTTPS_PROXY: '' }, true)]).toEqual([undefined, undefined]);
  });

  it('that are no proxy end the start with their name, without the value', () => {
    const read = () => readOperatorProxies({ flag: undefined, resolvesNames: false, environment: { HTTPS_PROXY: 'ftp://a:s3cret@b' } });
    expect(read).toThrow(/environment variable HTTPS_PROXY must be .*--egress-proxy none/);
    expect(read).not.toThrow(/s3cret/);
    expect(() => readOperatorProxies({ flag: 'ftp://a', resolvesNames: false, environment: {} })).toThrow(
      /--egress-proxy must be "none" or/,
    );
  });
});

it.each([
  ['*', 'any.example', 443, true],
  ['example.com', 'example.com', 443, true],
  ['example.com', 'www.example.com', 80, true],
  ['.example.com', 'www.example.com', 80, true],
  ['*.example.com', 'www.example.com', 80, true],
  ['Example.com', 'example.com.', 80, true],
  ['example.com', 'notexample.com', 80, false],
  ['example.com:8080', 'example.com', 8080, true],
  ['example.com:8080', 'example.com', 80, false],
  ['a.example, b.example c.example', 'c.example', 80, true],
  ['localhost,127.0.0.1', '127.0.0.1', 80, true],
  ['127.0.0.1', '9.127.0.0.1', 80, false],
  ['10.0.0.0/8', '10.1.2.3', 80, true],
  ['10.0.0.0/8', '11.1.2.3', 80, false],
  ['fd00::/8', 'fd12::1', 80, true],
  ['::1', '::1', 80, true],
  ['[::1]:80', '::1', 80, true],
  ['10.0.0.0/99', '10.0.0.0', 80, false],
  ['', 'example.com', 80, false],
])('NO_PROXY %s for %s:%d: %s', (text, host, port, expected) => {
  expect(readExceptions(text)({ host, port, secure: false })).toBe(expected);
});
