import { expect, it } from 'vitest';
import { describeArchive, describeEnd, nameArchive } from '../../../../plugins/output/warc/src/archive.js';

it('the description contains no parameter that may be a secret', () => {
  const params = {
    url: 'https://a:b@example.com/?token=c',
    header: { Authorization: 'd' },
    cookie: ['e=f'],
    crawl_delay: 1,
    crawl_deny_url: ['g'],
  };
  const info = describeArchive({ params }, { name: 'Chromium', version: '1' });
  expect(info['software']).toMatch(/^Platen\/[\d.]+ \(Chromium\/1\)$/);
  expect(info['parameters']).toBe('{"crawl_delay":1}');
});

it.each([
  ['https://www.example.com:8443/a?b', 'www.example.com.warc.gz'],
  ['http://[::1]/', '-1-.warc.gz'],
  ['data:text/html,a', 'page.warc.gz'],
])('the WARC of %s is named %s', (url, name) => {
  expect(nameArchive(url)).toBe(name);
});

it('only a walk that ended early says why', () => {
  expect(describeEnd({ done: 2, failed: 0, stopReason: undefined })).toBeUndefined();
  expect(describeEnd({ done: 2, failed: 1, stopReason: 'crawl_max_links' })).toEqual({
    stop_reason: 'crawl_max_links',
    description: '2 pages archived, 1 failed; the walk ended before its queue was empty',
  });
});
