/** The class of a character in the flanking rules (CommonMark 6.2); no character counts as a space. */
type CharacterClass = 'blank' | 'punctuation' | 'other';

/**
 * Since 0.31 symbols (an emoji, a currency sign) are punctuation. Older parsers treat them as letters, and some new ones treat every
 * surrogate pair as letters: the output has to work in all of them.
 */
export type Reading = 'current' | 'halves' | 'former';

export const READINGS: readonly Reading[] = ['current', 'halves', 'former'];

const BLANK = /^[\s\p{Zs}]$/u;
const PUNCTUATION: Readonly<Record<Reading, RegExp>> = {
  current: /^[\p{P}\p{S}]$/u,
  halves: /^(?![\u{10000}-\u{10FFFF}])[\p{P}\p{S}]$/u,
  former: /^(?:[!-/:-@[-`{-~]|(?![\u{10000}-\u{10FFFF}])\p{P})$/u,
};

function classify(character: string | undefined, reading: Reading): CharacterClass {
  if (character === undefined || character === '' || BLANK.test(character)) return 'blank';
  return PUNCTUATION[reading].test(character) ? 'punctuation' : 'other';
}

const LAST_OF_BMP = 0xffff;

/** The last character, including both halves of a surrogate pair. */
export function lastCharacter(text: string): string | undefined {
  const whole = text.codePointAt(text.length - 2) ?? 0;
  return whole > LAST_OF_BMP ? text.slice(-2) : text.at(-1);
}

export function firstCharacter(text: string): string | undefined {
  const code = text.codePointAt(0);
  return code === undefined ? undefined : String.fromCodePoint(code);
}

export interface Flanks {
  readonly canOpen: boolean;
  readonly canClose: boolean;
}

export interface RunPlace {
  readonly delimiter: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Whether a run of this delimiter between these two characters can open and close emphasis. */
export function flanks({ delimiter, before, after }: RunPlace, reading: Reading): Flanks {
  const left = classify(before, reading);
  const right = classify(after, reading);
  const leftFlanking = right !== 'blank' && (right === 'other' || left !== 'other');
  const rightFlanking = left !== 'blank' && (left === 'other' || right !== 'other');
  if (delimiter !== '_') return { canOpen: leftFlanking, canClose: rightFlanking };
  return {
    canOpen: leftFlanking && (!rightFlanking || left === 'punctuation'),
    canClose: rightFlanking && (!leftFlanking || right === 'punctuation'),
  };
}
