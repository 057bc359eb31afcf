import { readToolOutput } from '@platen/kernel';
import type { Fixes } from './fixes.js';
import type { Finding } from './report.js';

/** Scripts that a page may need glyphs for, as fontconfig patterns. */
const PATTERNS = { chinese: ':lang=zh-cn', japanese: ':lang=ja', korean: ':lang=ko', arabic: ':lang=ar', emoji: ':charset=1f600' } as const;

/** Fonts make two hosts' screenshots of one page differ: a character without a glyph is drawn as an empty box. */
export async function checkFonts({ glyphs }: Fixes): Promise<Finding> {
  const all = await readToolOutput('fc-list', ['--format', '%{file}\n']);
  if (all === undefined) {
    return {
      id: 'fonts',
      state: 'remark',
      text: 'not known: fontconfig\'s "fc-list" is not there',
      fix: 'apt-get install fontconfig',
      facts: { count: null },
    };
  }
  const count = new Set(all.split('\n').filter((line) => line !== '')).size;
  const has = async (pattern: string) => ((await readToolOutput('fc-list', [pattern, 'family'])) ?? '').trim() !== '';
  const covered = Object.fromEntries(
    await Promise.all(Object.entries(PATTERNS).map(async ([name, pattern]) => [name, await has(pattern)] as const)),
  );
  const lacking = Object.keys(PATTERNS).filter((name) => covered[name] !== true);
  const facts = { count, ...covered };
  if (count === 0)
    return { id: 'fonts', state: 'missing', text: 'none: no text would be seen', fix: 'apt-get install fonts-liberation', facts };
  if (lacking.length === 0) return { id: 'fonts', state: 'ok', text: `${count}, with Chinese, Japanese, Korean, Arabic and emoji`, facts };
  const fix = ['chinese', 'japanese', 'korean'].some((name) => lacking.includes(name))
    ? glyphs
    : lacking.includes('emoji')
      ? 'apt-get install fonts-noto-color-emoji'
      : undefined;
  return {
    id: 'fonts',
    state: 'remark',
    text: `${count}, none for ${lacking.join(', ')}: empty boxes there`,
    facts,
    ...(fix === undefined ? {} : { fix }),
  };
}
