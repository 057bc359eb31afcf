import { isPlatenError } from '@platen/kernel';
import { describe, expect, it, vi } from 'vitest';
import { parseJson } from '../../../server/src/flags/parse-json.js';

function codeOf(text: string | Buffer): string | undefined {
  try {
    parseJson(Buffer.from(text));
  } catch (error) {
    return isPlatenError(error) ? error.code : String(error);
  }
  return undefined;
}

describe('parseJson', () => {
  it('reads what JSON.parse reads', () => {
    const text = '{ "url": "http://a/?q=\\"x\\\\\\"", "a\\u0041": [1, {"b": null}], "\\ud83d\\ude00": "\\ud83d\\ude00 {[\\"" }';
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each([
    ['numbers', `[${'1,'.repeat(99_999)}1]`, 100_001 * 32 + 80],
    ['lists', `[${'[],'.repeat(99_999)}[]]`, 100_000 * 112 + 112],
    ['keys', `{${Array.from({ length: 1000 }, (_, n) => `"${String(n)}":1`).join()}}`, 1000 * 96 + 112],
  ])('tells what memory its %s will take, before they are built', (_, text, most) => {
    const told: number[] = [];
    parseJson(Buffer.from(text), { takeMemory: (bytes) => told.push(bytes) });
    expect(told).toHaveLength(1);
    expect(told[0]).toBeLessThanOrEqual(most);
    expect(told[0]).toBeGreaterThan(most * 0.9);
    const built = vi.spyOn(JSON, 'parse');
    const takeMemory = () => {
      throw new RangeError('no room');
    };
    expect(() => parseJson(Buffer.from(text), { takeMemory })).toThrow('no room');
    expect(built).not.toHaveBeenCalled();
    built.mockRestore();
  });

  it('refuses more objects and lists than can be built at once, before any is', () => {
    const built = vi.spyOn(JSON, 'parse');
    const refused = expect.objectContaining({ code: 'payload_too_large' }) as Error;
    expect(() => parseJson(Buffer.from(`[${'[],'.repeat(4_000_000)}[]]`))).toThrow(refused);
    expect(built).not.toHaveBeenCalled();
    built.mockRestore();
  });

  const many = (count: number) => Array.from({ length: count }, (_, n) => `"k${String(n)}":1`).join();
  it.each([
    ['unknown keys', `{"url":"http://a/",${many(1001)}}`],
    ['keys of an object where a text is wanted', `{"url":{${many(1001)}}}`],
    ['keys of many objects', `{"url":[${`{${many(10)}},`.repeat(100)}1]}`],
    ['objects', `{"url":[${'{},'.repeat(1000)}1]}`],
    ['keys after a parameter that takes objects', `{"state":{"a":1},${many(1001)}}`],
    ['keys of a nested object by the name of a parameter that takes objects', `{"url":{"state":{${many(1001)}}}}`],
  ])('refuses more than a thousand %s, before any is built', (_, text) => {
    const built = vi.spyOn(JSON, 'parse');
    const detail = 'the body has more than 1000 keys, objects and lists outside of "state": send render parameters only';
    const refused = expect.objectContaining({ code: 'malformed_request', message: detail }) as Error;
    expect(() => parseJson(Buffer.from(text), { objectKeys: new Set(['state']) })).toThrow(refused);
    expect(built).not.toHaveBeenCalled();
    built.mockRestore();
  });

  it('refuses more than 10,000 keys of one object in a parameter that takes objects, before any is built', () => {
    const built = vi.spyOn(JSON, 'parse');
    const text = `{"state":{"a":[{${many(10_001)}}]},"url":"http://a/"}`;
    const refused = expect.objectContaining({ message: 'an object in the body has more than 10000 keys' }) as Error;
    expect(() => parseJson(Buffer.from(text), { objectKeys: new Set(['state']) })).toThrow(refused);
    expect(built).not.toHaveBeenCalled();
    built.mockRestore();
  });

  it('takes any number of objects in a parameter that takes objects', () => {
    const text = `{"state":{"a":[${'{},'.repeat(1000)}{${many(2000)}}]},"url":"http://a/"}`;
    expect(parseJson(Buffer.from(text), { objectKeys: new Set(['state']) })).toEqual(JSON.parse(text));
  });

  it('finds them at the path of the parameters, and nowhere else', () => {
    const limits = { objectKeys: new Set(['state']), paramsAt: ['params', 'arguments'] };
    const taken = `{"params":{"arguments":{"state":{${many(2000)}}}}}`;
    expect(parseJson(Buffer.from(taken), limits)).toEqual(JSON.parse(taken));
    for (const others of ['{"state":STATE}', '{"params":{"state":STATE}}', '{"params":{"others":{"state":STATE}}}']) {
      const text = others.replace('STATE', `{${many(2000)}}`);
      expect(() => parseJson(Buffer.from(text), limits)).toThrow(/more than 1000 keys/);
    }
  });

  it('lets the same key stand in different objects, and as a value', () => {
    expect(parseJson(Buffer.from('{"a":{"a":1},"b":[{"a":1},{"a":"a"}],"c":["a","a"]}'))).toEqual({
      a: { a: 1 },
      b: [{ a: 1 }, { a: 'a' }],
      c: ['a', 'a'],
    });
  });

  const refused: readonly (readonly [string, string | Buffer, string])[] = [
    ['a duplicate key', '{"url":"http://a/","url":"http://b/"}', 'invalid_parameters'],
    ['a duplicate key spelled with an escape', '{"url":1,"\\u0075rl":2}', 'invalid_parameters'],
    ['a duplicate key in a nested object', '{"a":[{"b":1, "b" : 2}]}', 'invalid_parameters'],
    ['__proto__', '{"__proto__":{"polluted":1}}', 'invalid_parameters'],
    ['__proto__ spelled with an escape', '{"\\u005f_proto__":1}', 'invalid_parameters'],
    ['__proto__ deep inside', '{"a":[{"b":{"__proto__":1}}]}', 'invalid_parameters'],
    ['nesting without end', '['.repeat(100_000), 'malformed_request'],
    ['objects without end', '{"a":'.repeat(100_000), 'malformed_request'],
    ['a byte order mark', '\ufeff{}', 'malformed_request'],
    ['bytes that are no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), 'malformed_request'],
    ['an overlong encoding', Buffer.from([0x22, 0xc0, 0xaf, 0x22]), 'malformed_request'],
    ['half a surrogate pair', '{"a":"\\ud83d"}', 'malformed_request'],
    ['half a surrogate pair in a key', '{"\\udc00":1}', 'malformed_request'],
    ['NaN', '{"a":NaN}', 'malformed_request'],
    ['a comment', '{}//', 'malformed_request'],
    ['a trailing comma', '{"a":1,}', 'malformed_request'],
    ['a string without end', '{"a":"\\"', 'malformed_request'],
    ['a key with a broken escape', '{"\\x":1}', 'malformed_request'],
    ['closing brackets only', ']]]]', 'malformed_request'],
    ['nothing but blanks', '  \n', 'malformed_request'],
  ];
  it.each(refused)('refuses %s', (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('lets half a surrogate pair pass inside an object that is a value, where it is data', () => {
    const text = '{"state":{"\\ud800":[{"value":"\\ud83d"}]}}';
    expect(parseJson(Buffer.from(text))).toEqual({ state: { '\ud800': [{ value: '\ud83d' }] } });
    expect(codeOf('{"list":["\\ud800"]}')).toBe('malformed_request');
    expect(codeOf('{"list":[{"a":"\\ud800"}]}')).toBe('malformed_request');
  });

  it('says where a key stands that is refused, and leaves to others what is data', () => {
    const refusalOf = (text: string) => expect(() => parseJson(Buffer.from(text)));
    refusalOf('{"state":{"origins":[{},{"b":[1,[2,{"__proto__":1}]]}]}}').toThrow(
      expect.objectContaining({
        message: '"state.origins[1].b[1][1].__proto__" has a name that is not allowed',
        details: { errors: [expect.objectContaining({ parameter: 'state' })] },
      }),
    );
    refusalOf('{"state":{"a":[{"b":1,"b":2}]}}').toThrow('"state.a[0].b" is given twice');
    expect(codeOf('{"state":{"constructor":{"prototype":1}}}')).toBeUndefined();
  });

  it('takes a thousand levels in a parameter, and no more', () => {
    const nested = (depth: number) => `{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`;
    expect(codeOf(nested(1000))).toBeUndefined();
    expect(codeOf(nested(1001))).toBe('malformed_request');
  });

  it('pollutes nothing', () => {
    codeOf('{"__proto__":{"polluted":1}}');
    codeOf('{"constructor":{"prototype":{"polluted":1}}}');
    expect('polluted' in {}).toBe(false);
  });

  it('does not quote the body in its errors', () => {
    expect(() => parseJson(Buffer.from('{"secret": hunter2}'))).toThrow(
      expect.objectContaining({ message: 'the body is not valid JSON: line 1, column 12: expected a value' }),
    );
  });

  it('says where the body stops being JSON, be it in a key or a string without end', () => {
    const text = '{\n  "url": "http://a.test/",\n  ';
    expect(() => parseJson(Buffer.from(`${text}"\\x": 1}`))).toThrow(/: line 3, column 4: an escape that JSON does not define$/);
    expect(() => parseJson(Buffer.from(`${text}"b}`))).toThrow(/: line 3, column 3: a string without its closing quote$/);
    expect(() => parseJson(Buffer.from(`${text}}`))).toThrow(/: line 3, column 3: expected a key in double quotes$/);
  });
});
