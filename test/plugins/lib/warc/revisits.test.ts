import { describe, expect, it } from 'vitest';
import { createStoredResponses } from '../../../../plugins/lib/warc/src/stored-responses.js';
import { archiveOf, bodyOf, parseLine, type Sketch } from './archive-fixture.js';

const headers = (...lines: readonly (readonly [string, string])[]) => lines.map(([name, value]) => ({ name, value }));
const types = (records: readonly { readonly type: string }[]) => records.map(({ type }) => type);

describe('a revisit', () => {
  const post = { request: { method: 'POST', body: bodyOf('a') }, seconds: 1 } as const;
  const unknown = { response: { body: bodyOf('<p>hello', { sha256: undefined }) } } as const;

  it.each<readonly [string, Sketch, Sketch]>([
    ['of another URL', {}, { url: 'https://example.com/b' }],
    ['of the same URL later', {}, { seconds: 1 }],
    ['of a body whose digest is unknown', unknown, { ...unknown, seconds: 1 }],
  ])('%s refers to its original and retains its own headers', async (_title, one, other) => {
    const own = headers(['Content-Type', 'text/html'], ['X-Own', '2']);
    const { records, lines } = await archiveOf(one, { ...other, response: { ...other.response, headers: own } });
    expect(types(records)).toEqual(['response', 'request', 'revisit', 'request']);
    const [original, , revisit, request] = records;
    expect(revisit?.field('WARC-Profile')).toBe('http://netpreserve.org/warc/1.1/revisit/identical-payload-digest');
    expect(revisit?.field('WARC-Refers-To')).toBe(original?.field('WARC-Record-ID'));
    expect(revisit?.field('WARC-Refers-To-Target-URI')).toBe('https://example.com/');
    expect(revisit?.field('WARC-Refers-To-Date')).toBe('2026-01-02T12:00:00.345Z');
    expect(revisit?.field('WARC-Payload-Digest')).toBe(original?.field('WARC-Payload-Digest'));
    expect([revisit?.http('X-Own'), revisit?.http('Content-Length'), revisit?.text]).toEqual(['2', '8', '']);
    expect(request?.field('WARC-Concurrent-To')).toBe(revisit?.field('WARC-Record-ID'));
    expect(lines.map((line) => parseLine(line).fields['mime'])).toEqual(['text/html', 'warc/revisit']);
  });

  it.each<readonly [string, Sketch, Sketch]>([
    ['a POST', {}, post],
    ['after a POST', post, { seconds: 2 }],
    ['an error', {}, { url: 'https://example.com/b', response: { status: 404 } }],
    ['an empty body', { response: { body: bodyOf('') } }, { seconds: 1, response: { body: bodyOf('') } }],
    ['another body', {}, { seconds: 1, response: { body: bodyOf('other') } }],
  ])('is not made for %s', async (_title, one, other) => {
    expect(types((await archiveOf(one, other)).records)).toEqual(['response', 'request', 'response', 'request']);
  });

  it('the same response at the same moment is stored once', async () => {
    expect(types((await archiveOf({}, {})).records)).toEqual(['response', 'request']);
  });
});

describe('the memory of what is stored', () => {
  it('forgets what was not used for long', () => {
    const stored = createStoredResponses({ urls: 10, originals: 10 });
    const original = { id: '1', url: 'https://example.com/', date: new Date() };
    stored.addOriginal('sha256:a', original);
    stored.addUrl('https://example.com/first');
    stored.addUrl('https://example.com/used');
    for (let at = 0; at < 100; at += 1) {
      stored.addUrl(`https://example.com/${String(at)}`);
      expect(stored.hasUrl('https://example.com/used')).toBe(true);
      expect(stored.original('sha256:a')).toBe(original);
    }
    expect(stored.hasUrl('https://example.com/first')).toBe(false);
    expect(stored.hasUrl('https://example.com/99')).toBe(true);
    expect(stored.hasUrl('https://example.com/never')).toBe(false);
  });
});
