import { text } from 'node:stream/consumers';
import type { EncodeContext } from '@platen/kernel';
import type { Walk } from '@platen/plugin-walk';
import { expect, it } from 'vitest';
import { archiveWalk, archivingKey, readIndex } from '../../../../plugins/output/warc/src/archive.js';
import { createCdxIndex } from '../../../../plugins/lib/warc/src/index.js';

const walkThatFails = (error: Error): Walk => ({
  ...{ seed: 'https://example.com/', startedAt: new Date(), browser: { name: 'Chromium', version: '1' }, wrote: () => undefined },
  pages: () => ({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }) }),
  summary: { done: 0, failed: 0, stopReason: undefined },
});
const archiving = { index: createCdxIndex(), complete: false };
// The encoder uses no other members.
const context = {
  plan: { url: 'https://example.com/', params: {} },
  signal: new AbortController().signal,
  get: (key: unknown) => (key === archivingKey ? archiving : undefined),
} as unknown as EncodeContext;
const withoutIndex: EncodeContext = { ...context, get: () => undefined };
const full = Object.assign(new Error('write'), { code: 'ENOSPC' });
const FULL = {
  code: 'encode_failed',
  message: 'the warc could not be written: the disk that holds the temporary folder of the server is full',
};

it('a WARC for which the disk has no room fails in words, in a file and as a stream', async () => {
  await expect(archiveWalk(walkThatFails(full), context)).rejects.toMatchObject(FULL);
  await expect(text(await archiveWalk(walkThatFails(full), withoutIndex))).rejects.toMatchObject(FULL);
});

it('any other error stays as it is', async () => {
  await expect(archiveWalk(walkThatFails(new Error('other')), context)).rejects.toThrow('other');
});

it('an incomplete WARC has no index', () => {
  expect(() => readIndex(context)).toThrow('the index could not be written: the WARC is not complete');
  expect(() => readIndex(withoutIndex)).toThrow('the WARC is not complete');
});
