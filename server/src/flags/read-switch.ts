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
 * What operators write for on and off, in any case, wherever a flag may be given; undefined where it is no such word, or the flag
 * does not take one. A flag that takes text too reads these words as on and off all the same: a folder of such a name is `./off`.
 */
export function readSwitch(given: unknown, { type = [] }: Fragment): boolean | undefined {
  const types = [type].flat();
  const word = typeof given === 'string' || typeof given === 'number' ? String(given).toLowerCase() : '';
  const isNumber = /^\d$/.test(word) && types.some((each) => each === 'integer' || each === 'number');
  return types.includes('boolean') && !isNumber ? WORDS.get(word) : undefined;
}
