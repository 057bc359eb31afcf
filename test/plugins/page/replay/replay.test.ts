import { isPlatenError } from '@platen/kernel';
import { ArchiveDamaged } from '@platen/lib-archive';
import { describe, expect, it } from 'vitest';
import { replayOf } from './fake-archive.js';

const to = (location: string) => ({ status: 302, headers: [['Location', location]] as const });
const DAMAGED = new ArchiveDamaged('the record at byte 7 ends early');

describe('a target in the archive', () => {
  it.each([
    ['a page', 'http://a.test/', { 'http://a.test/': {} }],
    ['a page with a fragment and credentials', 'http://me:secret@a.test/#b', { 'http://a.test/': {} }],
    ['a redirect', 'http://a.test/', { 'http://a.test/': to('/b'), 'http://a.test/b': {} }],
    ['a redirect loop, which the browser ends', 'http://a.test/', { 'http://a.test/': to('/') }],
    ['a document in the URL', 'data:text/html,x', {}],
  ])('is found: %s', async (_, url, records) => {
    await expect(replayOf(records).assertHas(url)).resolves.toBeUndefined();
  });

  it.each([
    [
      'http://b.test/',
      { 'http://a.test/1': {}, 'http://a.test/2': {} },
      'no response of http://b.test/; most like it are http://a.test/1, http://a.test/2',
    ],
    ['http://a.test/bodiless', {}, 'without its body: Platen records bodies in a HAR with har_capture_bodies=true'],
    ['http://b.test/', {}, 'site.wacz has no response of http://b.test/'],
    ['http://a.test/', { 'http://a.test/': to('/gone') }, 'no response of http://a.test/gone'],
    [
      'http://a.test/',
      { 'http://a.test/': { body: DAMAGED } },
      'site.wacz cannot be read where it has the target: the record at byte 7 ends early',
    ],
  ])('is not in the archive: %s', async (url, records, message) => {
    const error: unknown = await replayOf(records)
      .assertHas(url)
      .catch((thrown: unknown) => thrown);
    expect(isPlatenError(error) && error.code).toBe('not_in_archive');
    expect(String(error)).toContain(message);
  });

  it('sets the moment of the render: that of the capture that is shown, whichever was asked for', async () => {
    const records = { 'http://a.test/': { date: '20230101000000' } };
    const replay = replayOf(records);
    expect(replay.summary).toBe('hits=0; misses=0');
    await replay.assertHas('http://a.test/');
    expect(replay.summary).toBe('hits=0; misses=0; at=20230101000000');
    const given = replayOf(records, { at: '20250101000000' });
    await given.assertHas('http://a.test/');
    expect(given.summary).toBe('hits=0; misses=0; at=20230101000000');
    const redirects = replayOf({
      'http://a.test/': { ...to('/b'), date: '20230101000000' },
      'http://a.test/b': { date: '20240101000000' },
    });
    await redirects.assertHas('http://a.test/');
    expect(redirects.at).toBe('20240101000000');
  });
});

it('counts and lists all requests, also those whose record cannot be read', async () => {
  const replay = replayOf({ 'http://a.test/': { body: 'hi' }, 'http://a.test/bad': { body: DAMAGED } });
  const bodies = [];
  for (const url of ['http://a.test/', 'http://a.test/bad', 'http://a.test/none']) {
    const answer = await replay.answer({ method: 'GET', url });
    if (answer === undefined) replay.noteMissing({ method: 'GET', url });
    bodies.push(String(answer?.body));
  }
  expect(bodies).toEqual(['hi', 'undefined', 'undefined']);
  expect((await replay.answer({ method: 'HEAD', url: 'http://a.test/' }))?.body).toHaveLength(0);
  replay.noteMissing({ method: 'GET', url: 'wss://a.test/' });
  const record = { url: 'http://a.test/', date: '20240501100000', match: 'exact' };
  expect(replay.report).toEqual({
    requests: [
      { method: 'GET', url: 'http://a.test/', record },
      { method: 'GET', url: 'http://a.test/bad', record: null },
      { method: 'GET', url: 'http://a.test/none', record: null },
      { method: 'HEAD', url: 'http://a.test/', record },
      { method: 'GET', url: 'wss://a.test/', record: null },
    ],
    hits: 2,
    misses: 3,
  });
});
