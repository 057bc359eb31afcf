import { readToolOutput } from '@platen/kernel';
import type { Finding } from '../service/hooks.js';

const BASIC = 'fonts-liberation';
const CORE = 'fonts-noto-core';
const CJK = 'fonts-noto-cjk';

/** A letter of each script that pages are often written in, and the Debian package of a font that has it. */
const SCRIPTS: Readonly<Record<string, readonly [letter: string, fontPackage: string]>> = {
  Latin: ['a', BASIC],
  Greek: ['λ', BASIC],
  Cyrillic: ['Я', BASIC],
  Arabic: ['م', CORE],
  Hebrew: ['ש', CORE],
  Thai: ['ส', CORE],
  Devanagari: ['न', CORE],
  Bengali: ['ও', CORE],
  Tamil: ['வ', CORE],
  Telugu: ['హ', CORE],
  Georgian: ['გ', CORE],
  Armenian: ['Բ', CORE],
  Ethiopic: ['ሰ', CORE],
  Khmer: ['ស', CORE],
  Myanmar: ['မ', CORE],
  Chinese: ['你', CJK],
  Japanese: ['こ', CJK],
  Korean: ['안', CJK],
  emoji: ['😀', 'fonts-noto-color-emoji'],
  symbols: ['⌘', CORE],
};

/** Fonts make two hosts' screenshots of one page differ: a character without a glyph is drawn as an empty box. */
export async function checkFonts(): Promise<Finding> {
  const fonts = await readToolOutput('fc-list', ['--format', '%{charset}\n']);
  if (fonts !== undefined) return judgeFonts(fonts.split('\n').filter((line) => line !== ''));
  return {
    id: 'fonts',
    state: 'remark',
    text: 'unknown: "fc-list" of fontconfig is missing',
    fix: 'apt-get install fontconfig',
    facts: { count: null },
  };
}

/** @param charsets the characters of each font: ranges of hexadecimal numbers, `20-7e a0` */
export function judgeFonts(charsets: readonly string[]): Finding {
  const ranges = [...new Set(charsets.join(' ').split(' '))].map((range) => range.split('-').map((text) => Number.parseInt(text, 16)));
  const has = (code: number) => ranges.some(([first = NaN, last = first]) => first <= code && code <= last);
  const scripts = Object.entries(SCRIPTS).map(([name, [letter, from]]) => ({ name, from, covered: has(letter.codePointAt(0) ?? 0) }));
  const count = charsets.length;
  const facts = { count, ...Object.fromEntries(scripts.map(({ name, covered }) => [name.toLowerCase(), covered])) };
  const lacking = scripts.filter(({ covered }) => !covered);
  if (lacking.length === 0) return { id: 'fonts', state: 'ok', text: `${count}, with letters of ${scripts.length} scripts`, facts };
  const fix = `apt-get install ${[...new Set(lacking.map(({ from }) => from))].join(' ')}`;
  if (count === 0) return { id: 'fonts', state: 'missing', text: 'none: no text would be visible', fix, facts };
  const text = `${count}, none for ${lacking.map(({ name }) => name).join(', ')}: shown as empty boxes`;
  return { id: 'fonts', state: 'remark', text, fix, facts };
}
