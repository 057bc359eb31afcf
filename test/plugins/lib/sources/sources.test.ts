import { OutboundError } from '@platen/kernel';
import { fetchSource, isUrl, nameSource, sourceError, unreadableSourceError } from '@platen/lib-sources';
import { describe, expect, it } from 'vitest';

const named = { flag: 'some-list', source: 'https://user:secret@lists.test/drop.txt?key=secret' };

describe('a source', () => {
  it.each([
    ['http://lists.test/a', true],
    ['FTP://lists.test/a', true],
    ['/etc/list.txt', false],
    ['list.txt', false],
  ])('%s is a URL: %s', (source, is) => {
    expect(isUrl(source)).toBe(is);
  });

  it('is named without credentials and query', () => {
    expect(nameSource(named.source)).toBe('https://lists.test/drop.txt');
    expect(nameSource('lists/a?b')).toBe('lists/a?b');
  });

  it('that answers with another status than 200 is not had', async () => {
    const answer = { url: 'http://lists.test/', headers: {}, body: Buffer.from('text') };
    const limits = { maxBytes: 1, timeoutMs: 1 };
    const answering = (status: number) => ({ fetch: () => Promise.resolve({ ...answer, status }) });
    await expect(fetchSource('http://lists.test/', answering(404), limits)).rejects.toThrow('it responded with status 404');
    expect((await fetchSource('http://lists.test/', answering(200), limits)).body.toString()).toBe('text');
  });
});

describe('the fault of a source', () => {
  it.each([
    [new OutboundError('unreachable', 'https://lists.test/drop.txt could not be fetched: ECONNREFUSED'), 'ECONNREFUSED'],
    [new OutboundError('too_large', 'https://lists.test/drop.txt is longer than 1 bytes'), 'it is longer than 1 bytes'],
    [Object.assign(new Error('raw'), { code: 'ENOENT' }), 'there is no such file'],
    [Object.assign(new Error('raw'), { code: 'EIO' }), 'EIO'],
    [new Error('it is empty'), 'it is empty'],
  ])('%s: names flag and source once, and no secret', (error, reason) => {
    expect(unreadableSourceError(named, error)).toMatchObject({
      code: 'boot_source_unavailable',
      message: `the source "https://lists.test/drop.txt" of --some-list is unavailable: ${reason}`,
      cause: error,
    });
  });

  it('may be told without an error', () => {
    const fault = sourceError({ flag: 'f', source: 'a.txt' }, 'no rule is left');
    expect(fault.message).toBe('the source "a.txt" of --f is unavailable: no rule is left');
    expect(fault).not.toHaveProperty('cause');
  });
});
