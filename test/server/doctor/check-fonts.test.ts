import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { judgeFonts } from '../../../server/src/doctor/check-fonts.js';

/** Latin, Greek and Cyrillic. */
const LIBERATION = '20-7e a0-17f 384-3ce 400-45f';
/** Everything from Armenian to Khmer, and symbols. */
const CORE = '530-58f 590-5ff 600-6ff 900-dff e00-e7f 1000-109f 10a0-10ff 1200-137f 1780-17ff 2318';
const CJK = '2318 3041-30ff 4e00-9fff ac00-d7a3';
const EMOJI = '23 1f600-1f64f';

describe('fonts', () => {
  it('are complete if each of 20 scripts has a letter in one of them', () => {
    const finding = judgeFonts([LIBERATION, CORE, CJK, EMOJI]);
    expect(finding).toMatchObject({ id: 'fonts', state: 'ok', text: '4, with letters of 20 scripts' });
    expect(finding.facts).toMatchObject({ count: 4, latin: true, khmer: true, emoji: true });
  });

  it.each([
    [[CORE, CJK, EMOJI], 'Latin, Greek, Cyrillic', 'fonts-liberation'],
    [[LIBERATION, CORE, EMOJI], 'Chinese, Japanese, Korean', 'fonts-noto-cjk'],
    [[LIBERATION, CORE, CJK], 'emoji', 'fonts-noto-color-emoji'],
    [[LIBERATION, CORE.replace('600-6ff ', ''), CJK, EMOJI], 'Arabic', 'fonts-noto-core'],
    [[LIBERATION, CORE.replace('1780-17ff ', ''), CJK], 'Khmer, emoji', 'fonts-noto-core fonts-noto-color-emoji'],
  ])('%#: a missing script is named, with the package that has it', (charsets, names, packages) => {
    const finding = judgeFonts(charsets);
    expect(finding).toMatchObject({
      state: 'remark',
      text: `${charsets.length}, none for ${names}: shown as empty boxes`,
      fix: `apt-get install ${packages}`,
    });
  });

  it('are missing where there is none', () => {
    expect(judgeFonts([])).toMatchObject({ state: 'missing', facts: { count: 0, latin: false } });
  });

  it('are asked for the scripts of the page that the image is checked with', () => {
    const page = readFileSync(new URL('../../../server/deploy/scripts.html', import.meta.url), 'utf8');
    const rows = [...page.matchAll(/<tr><td>(\w+)/g)].map(([, name = '']) => name.toLowerCase());
    expect(Object.keys(judgeFonts([]).facts)).toEqual(['count', ...rows]);
  });
});
