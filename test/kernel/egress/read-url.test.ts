import { withoutUserinfo, withScheme } from '@platen/kernel';
import { expect, it } from 'vitest';

it.each([
  ['example.com', 'https://example.com/'],
  ['example.com/path?q=1#a', 'https://example.com/path?q=1#a'],
  ['example.com?q=http://a.test/', 'https://example.com/?q=http://a.test/'],
  ['example.com:8080', 'https://example.com:8080/'],
  ['192.168.1.1:80', 'https://192.168.1.1:80/'],
  ['[2001:db8::1]:8080/a', 'https://[2001:db8::1]:8080/a'],
  ['bücher.example', 'https://xn--bcher-kva.example/'],
  ['printer:631', 'https://printer:631/'],
  ['localhost', 'http://localhost/'],
  ['localhost:8080', 'http://localhost:8080/'],
  ['app.localhost:8080/a', 'http://app.localhost:8080/a'],
  ['127.0.0.1:3000', 'http://127.0.0.1:3000/'],
  ['[::1]:3000', 'http://[::1]:3000/'],
  ['localhost.example.com', 'https://localhost.example.com/'],
])('the address %s stands for %s', (address, url) => {
  expect(withScheme(address)).toBe(url);
});

it.each([
  ...['', 'http://example.com/', 'data:text/html,hi', 'data:1', 'javascript:alert(1)', 'file:///etc/hosts', 'mailto:a@example.com'],
  ...['user:secret@example.com', '//example.com/', '/path', 'two words', 'example.com:http', '999.1.1.1'],
])('%j is no address without a scheme', (text) => {
  expect(withScheme(text)).toBeUndefined();
});

it.each([
  ['https://user:secret@example.com/a@b', 'https://example.com/a@b'],
  ['  http://user@example.com:8080/?q=@#@', '  http://example.com:8080/?q=@#@'],
  ['https://a:b@c@example.com', 'https://example.com'],
  ['HTTPS://u:p@xn--a/%zz', 'HTTPS://xn--a/%zz'],
  ['https://example.com/?to=http://u:p@a.test/', 'https://example.com/?to=http://u:p@a.test/'],
  ['http:\\\\u:p@example.com/a', 'http://example.com/a'],
  ['http:u:p@example.com', 'http://example.com/'],
  ['ht\ntp://u:p@example.com', 'http://example.com/'],
  ['mailto:user@example.com', 'mailto:user@example.com'],
  ['../a@b', '../a@b'],
])('%j without userinfo is %j', (url, bare) => {
  expect(withoutUserinfo(url)).toBe(bare);
});
