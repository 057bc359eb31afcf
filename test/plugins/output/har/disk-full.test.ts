import { text } from 'node:stream/consumers';
import type { ExchangeRecord } from '@platen/plugin-network';
import { expect, it } from 'vitest';
import { openHar } from '../../../../plugins/output/har/src/write-har.js';

const recordThatFails = (error: Error): ExchangeRecord => ({
  browser: { name: 'Chromium', version: '1' },
  visits: [],
  count: 1,
  dropped: 0,
  exchanges: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
});
const read = (error: Error) => text(openHar(recordThatFails(error), { visits: 'all', bodies: true }));

it('a HAR for which the disk had no room fails in words', async () => {
  await expect(read(Object.assign(new Error('write'), { code: 'ENOSPC' }))).rejects.toMatchObject({
    code: 'encode_failed',
    message: 'the har could not be written: the disk that holds the temporary folder of the server is full',
  });
});

it('any other fault stays what it is', async () => {
  await expect(read(new Error('other'))).rejects.toThrow('other');
});
