import { expect, it } from 'vitest';
import { createOmittedItems } from '../../../../plugins/asset/storage/src/save.js';

it('nothing is told of a storage that is whole', () => {
  expect(createOmittedItems().describe(0)).toBeUndefined();
});

it('what is missing is told by origin and kind, the same once with its count', () => {
  const gaps = createOmittedItems();
  gaps.unread('http://a', 'indexedDB');
  for (let n = 0; n < 3; n++) gaps.unstorable('http://b', '"a record of IndexedDB: a CryptoKey"');
  gaps.unread('http://c');
  expect(gaps.describe(2)).toBe(
    'items omitted for storage_limit: 2; indexedDB of http://a could not be read completely; http://b: a record of IndexedDB: a CryptoKey cannot be stored (3 times); the storage of http://c could not be read completely',
  );
});

it('what is told has room in a header, however many origins there are', () => {
  const gaps = createOmittedItems();
  for (let n = 0; n < 1000; n++) gaps.unread(`http://${'x'.repeat(60)}.${String(n)}.test`);
  expect(gaps.describe(0)?.length).toBeLessThan(2000);
  expect(gaps.describe(0)).toMatch(/; 992 more$/);
});
