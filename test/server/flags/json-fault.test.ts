import { describe, expect, it } from 'vitest';
import { describeJsonFault } from '../../../server/src/flags/json-fault.js';

const VALID = [
  ...['{}', '[]', ' [1, -0.5e+3, "a\\u00e9\\n", true, false, null, {"a": {"b": []}}] \r\n', '"text"', '0', '-1E5', '{"a":1,"b":[[],{}]}'],
  ...['"\u2028"'],
];

const FAULTS: readonly (readonly [string, string])[] = [
  ['', 'line 1, column 1: expected a value and not the end'],
  ['{', 'line 1, column 2: expected a key in double quotes or "}" and not the end'],
  ['[1,', 'line 1, column 4: expected a value and not the end'],
  ['[1,]', 'line 1, column 4: expected a value'],
  ['[1 2]', 'line 1, column 4: expected "," or "]"'],
  ['[1}', 'line 1, column 3: expected "," or "]"'],
  ['{"a":1,}', 'line 1, column 8: expected a key in double quotes'],
  ['{"a" 1}', 'line 1, column 6: expected ":"'],
  ['{a: 1}', 'line 1, column 2: expected a key in double quotes or "}"'],
  ["{'a': 1}", 'line 1, column 2: expected a key in double quotes or "}"'],
  ['{"a": 01}', 'line 1, column 7: expected a value'],
  ['{"a": 1.}', 'line 1, column 7: expected a value'],
  ['{"a": NaN}', 'line 1, column 7: expected a value'],
  ['{"a": truely}', 'line 1, column 7: expected a value'],
  ['{} {}', 'line 1, column 4: expected nothing more'],
  [']', 'line 1, column 1: expected a value'],
  ['{\n  "a": 1\r\n  "b": 2\n}', 'line 3, column 3: expected "," or "}"'],
  ['["a\nb"]', 'line 1, column 4: a line break or control character inside a string'],
  ['["a\\x"]', 'line 1, column 4: an escape that JSON does not define'],
  ['["\\u12g4"]', 'line 1, column 3: an escape that JSON does not define'],
  ['["\\"', 'line 1, column 2: a string without its closing quote'],
];

describe('describeJsonFault', () => {
  it.each(VALID)('finds none in %j, as JSON.parse does', (text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(describeJsonFault(text)).toBeUndefined();
  });

  it.each(FAULTS)('%j, which JSON.parse refuses too', (text, fault) => {
    expect(() => JSON.parse(text) as unknown).toThrow(SyntaxError);
    expect(describeJsonFault(text)).toBe(fault);
  });

  it('agrees with JSON.parse on a text with any one character left out', () => {
    const text = '{"a": [1.5, -2e3, "x\\"y", {"b": null}], "c": true}';
    for (let at = 0; at < text.length; at += 1) {
      const cut = text.slice(0, at) + text.slice(at + 1);
      const isJson = (() => {
        try {
          JSON.parse(cut);
          return true;
        } catch {
          return false;
        }
      })();
      expect(describeJsonFault(cut) === undefined, cut).toBe(isJson);
    }
  });

  it('reads a text of megabytes', () => {
    expect(describeJsonFault(`["${'\\n'.repeat(2_000_000)}"`)).toBe('line 1, column 4000004: expected "," or "]" and not the end');
  });
});
