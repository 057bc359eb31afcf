import type { Fragment } from '@platen/schema';

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/**
 * Reads the words that operators use for on and off, in any case, wherever a flag may be set. Undefined if the value is not such a word, or
 * if the flag does not accept a boolean. A flag that also accepts text reads these words as on and off too: a folder of such a name is
 * written `./off`.
 */
export function readSwitch(given: unknown, { type = [] }: Fragment): boolean | undefined {
  const types = [type].flat();
  const word = typeof given === 'string' || typeof given === 'number' ? String(given).toLowerCase() : '';
  const isNumber = /^\d$/.test(word) && types.some((each) => each === 'integer' || each === 'number');
  return types.includes('boolean') && !isNumber ? WORDS.get(word) : undefined;
}
