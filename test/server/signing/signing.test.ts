import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { canonicalQuery, signQuery, signUrl, verifyQuery } from '@platen/server/signing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openGuarded, SECRET } from '../../plugins/auth/auth-server.js';

type Pair = readonly [string, string];
const EXPIRES = 4_000_000_000;
const at = { secrets: ['another', SECRET], now: 3_999_999_000_000 };
const verify = (query: string, more = {}) => verifyQuery(query, { ...at, ...more });

/** What is written differently, sorted differently or taken for something else by somebody. */
const LETTERS = [
  ...['a', 'B', '0', 'é', '~', '*', ' ', '+', '%', '%20', '&', '=', '?', '#', ';', '/', '[', ']', "'", '(', ')', '!', '-', '.', '_'],
];
const ODD = ['\u{1F600}', '\u{10000}', '\uE000', '\uFFFD', '\uFFFF', '\0', '\n', '\u0301', 'ß', '中'];
const text = fc.string({ unit: fc.constantFrom(...LETTERS, ...ODD), maxLength: 8 });
const pairs = fc.array(fc.tuple(text, text), { maxLength: 6 });

/** Python's signatures over pairs, by spelling. */
function signInPython(lists: readonly (readonly Pair[])[]): readonly Readonly<Record<string, string>>[] {
  const script = new URL('signer.py', import.meta.url).pathname;
  const input = lists.map((list) => JSON.stringify(list)).join('\n');
  const printed = execFileSync('python3', [script, SECRET], { input, encoding: 'utf8', maxBuffer: 2 ** 26 });
  return printed
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

describe('canonicalQuery', () => {
  it('sorts by key, then by value, in the order of UTF-8 bytes', () => {
    const given: readonly Pair[] = [
      ['b', '2'],
      ['\u{10000}', ''],
      ['\uFFFD', ''],
      ['b', '10'],
      ['B', ''],
      ['a b', ''],
      ['a', 'z'],
      ['', 'x'],
    ];
    expect(canonicalQuery(given)).toBe('=x&B=&a=z&a+b=&b=10&b=2&%EF%BF%BD=&%F0%90%80%80=');
  });

  it('is sorted by bytes as Buffer compares them, with characters past U+FFFF and without', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const byBytes = list.toSorted(
          ([key, a], [other, b]) => Buffer.compare(Buffer.from(key), Buffer.from(other)) || Buffer.compare(Buffer.from(a), Buffer.from(b)),
        );
        expect(canonicalQuery(list)).toBe(new URLSearchParams(byBytes.map(([key, value]) => [key, value])).toString());
      }),
    );
  });

  it('is form-encoded as the URL standard does it, whatever the order of the pairs', () => {
    fc.assert(
      fc.property(pairs, fc.boolean(), (list, reverse) => {
        const canonical = canonicalQuery(reverse ? [...list].reverse() : list);
        const decoded = [...new URLSearchParams(canonical)];
        expect(new URLSearchParams(decoded).toString()).toBe(canonical);
        expect(decoded.map((pair) => JSON.stringify(pair)).sort()).toEqual(list.map((pair) => JSON.stringify(pair)).sort());
      }),
    );
  });
});

describe('an independent signer (Python)', () => {
  const lists = fc.sample(pairs, 300).map((list): readonly Pair[] => [...list, ['expires', String(EXPIRES)]]);
  const signed = signInPython(lists);

  it('signs as the specification says, in four spellings, and each holds in any order', () => {
    expect(signed).toHaveLength(lists.length);
    for (const spellings of signed) {
      for (const query of Object.values(spellings)) {
        expect(verify(query), query).toBeUndefined();
        expect(verify(query.split('&').reverse().join('&')), query).toBeUndefined();
      }
    }
  });

  it('agrees with what is signed here', () => {
    for (const [index, list] of lists.entries()) {
      const own = signQuery(new URLSearchParams(list.slice(0, -1).map(([key, value]) => [key, value])).toString(), {
        secret: SECRET,
        expires: EXPIRES,
      });
      expect(own.slice(-64)).toBe(signed[index]?.form?.slice(-64));
    }
  });

  it.each([
    ['encodeURIComponent', encodeURIComponent],
    ['quote of Python', (value: string) => encodeURIComponent(value).replaceAll('%2F', '/')],
  ])('by %s it holds only while nothing is in it that is written otherwise', (_, encode) => {
    const sign = (value: string) => {
      const query = `a=${encode(value)}&expires=${String(EXPIRES)}`;
      return `${query}&signature=${createHmac('sha256', SECRET).update(query).digest('hex')}`;
    };
    expect(verify(sign('plain-text_1.0'))).toBeUndefined();
    expect(verify(sign("it's/(~*) x"))).toBe('bad_signature');
  });

  it('its signature holds for no other pairs', () => {
    for (const { form = '' } of signed) {
      for (const changed of [
        `a=&${form}`,
        `${form}&a=`,
        form.replace('expires=4', 'expires=5'),
        form.replace('&signature', '&x&signature'),
      ])
        expect(verify(changed), changed).toBe('bad_signature');
    }
  });

  it('is let in by a server: whatever is wrong with the parameters, it is not the signature', async () => {
    await using server = await openGuarded(['signed']);
    for (const { python = '', rfc3986 = '' } of signed.slice(0, 20)) {
      for (const query of [python, rfc3986]) {
        expect((await server.get(query)).status, query).toBe(400);
        expect((await server.get(`${query}&a=`)).status, query).toBe(403);
      }
    }
  });
});

describe('signUrl', () => {
  const options = { secret: SECRET, expires: EXPIRES };

  it('leaves the URL as it is written but for the fragment, and replaces what signs', () => {
    const url = signUrl('https://p.test/base/?b=%7e&a=x+y&expires=1&signature=2&full_page#top', options);
    expect(url).toMatch(/^https:\/\/p\.test\/base\/\?b=%7e&a=x\+y&full_page&expires=4000000000&signature=[0-9a-f]{64}$/);
    expect(verify(url.split('?')[1] ?? '')).toBeUndefined();
    expect(signUrl('/', options)).toMatch(/^\/\?expires=4000000000&signature=/);
  });

  it('takes the secret with its algorithm, and no other algorithm, no empty one and no broken time', () => {
    expect(signUrl('/', { ...options, secret: `hmac-sha256:${SECRET}` })).toBe(signUrl('/', options));
    for (const secret of ['', 'hmac-sha256:', 'hmac-sha1:x']) expect(() => signUrl('/', { ...options, secret })).toThrow(TypeError);
    for (const expires of [-1, 1.5, NaN, Infinity]) expect(() => signUrl('/', { ...options, expires })).toThrow(TypeError);
  });
});

describe('verifyQuery', () => {
  const signed = signQuery('a=1', { secret: SECRET, expires: 1000 });

  it('the second that expires names is the last that holds', () => {
    expect(verify(signed, { now: 1_000_000 })).toBeUndefined();
    expect(verify(signed, { now: 1_000_001 })).toBe('expired');
  });

  it('expires may lie as far ahead as the age says, and no further', () => {
    expect(verify(signed, { now: 900_000, maxAge: 100 })).toBeUndefined();
    expect(verify(signed, { now: 899_000, maxAge: 100 })).toBe('expires_too_far');
  });

  it('says nothing of the time before the signature holds', () => {
    expect(verify(signed, { secrets: ['other'], now: 2_000_000 })).toBe('bad_signature');
    expect(verify('expires=1')).toBe('missing_signature');
  });

  it('is never asked about more pairs than a request can need: the server refuses them', async () => {
    await using server = await openGuarded(['signed']);
    const unsigned = (pairs: number) => `signature=${'0'.repeat(64)}${'&a'.repeat(pairs - 1)}`;
    const [most, more] = [await server.get(unsigned(10_000)), await server.get(unsigned(10_001))];
    expect([most.status, more.status]).toEqual([403, 400]);
    expect(await more.json()).toMatchObject({ code: 'malformed_request', detail: expect.stringContaining('10001 parameters') });
  });

  it('checks a query of 200,000 characters', () => {
    const many = signQuery(Array.from({ length: 20_000 }, (_, index) => `k${String(index % 977)}=${String(index)}`).join('&'), {
      secret: SECRET,
      expires: EXPIRES,
    });
    expect(verify(many)).toBeUndefined();
    expect(verify(`${many}&k1=`)).toBe('bad_signature');
  });
});
