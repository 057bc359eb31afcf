import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fence, isText, readPart } from '../../../../plugins/service/mcp/src/text-part.js';

const inStore = (bytes: Buffer) => ({
  bytes: bytes.length,
  open: ({ start, end } = { start: 0, end: bytes.length - 1 }) => Readable.from([bytes.subarray(start, end + 1)], { objectMode: false }),
});

describe('a part of a text', () => {
  it('never ends within a character, and the parts are the whole', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 60 }), fc.integer({ min: 1, max: 5 }), async (whole, tokens) => {
        const bytes = Buffer.from(whole);
        for (const source of [bytes, inStore(bytes)]) {
          const parts: string[] = [];
          for (let start = 0; start < bytes.length;) {
            const part = await readPart(source, start, tokens);
            expect(part?.start).toBe(start);
            expect(part?.text).not.toMatch(/\p{Surrogate}/u);
            expect(part?.text.length).toBeLessThanOrEqual(tokens * 4);
            parts.push(part?.text ?? '');
            expect(part?.end).toBeGreaterThan(start);
            start = part?.end ?? Infinity;
          }
          expect(parts.join('')).toBe(whole);
        }
      }),
      { numRuns: 50 },
    );
  });

  it.each([
    ['a character of four bytes', 1, 4, 'b'],
    ['its last byte', 3, 4, 'b'],
    ['its end', 4, 4, 'b'],
    ['the end of the text', 5, 5, ''],
  ])('begins at the character after an offset into %s', async (_, offset, start, text) => {
    expect(await readPart(Buffer.from('😀b'), offset, 10)).toEqual({ text, start, end: 5, total: 5 });
  });

  it('keeps a byte order mark, and does not take bytes of another encoding for text', async () => {
    expect(await readPart(Buffer.from('\uFEFFa'), 0, 10)).toMatchObject({ text: '\uFEFFa', end: 4 });
    expect(await readPart(Buffer.from([0x61, 0xe4, 0x62]), 0, 10)).toBeUndefined();
    expect(await readPart(Buffer.alloc(0), 0, 10)).toEqual({ text: '', start: 0, end: 0, total: 0 });
  });
});

it.each([
  ['text/html; charset=utf-8', true],
  ['text/markdown; charset=UTF-8; variant=CommonMark', true],
  ['application/json', true],
  ['application/ld+json', true],
  ['text/plain; charset=iso-8859-1', false],
  ['application/pdf', false],
  ['image/png', false],
])('the content type %s is text: %s', (contentType, expected) => {
  expect(isText(contentType)).toBe(expected);
});

it('a fence has marks that differ each time: a page cannot end it', () => {
  const [one, two] = [fence('a', 'Page'), fence('a', 'Page')];
  expect(one).toMatch(/^Page: untrusted data .*\n<(untrusted-[0-9a-f]{16})>\na\n<\/\1>$/);
  expect(one).not.toBe(two);
});
