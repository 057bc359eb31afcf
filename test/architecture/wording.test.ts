import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from './workspaces.js';

/** Words of the place where this was made, which mean nothing to who reads it. In parts, so that this file holds none of them. */
const FORBIDDEN = [
  ['/wo', 'rk/'],
  ['../sha', 'red/'],
  ['.libr', 'ary/'],
  ['/tmp/br', 'ief'],
  ['suba', 'gent'],
  ['before-', 'stop'],
].map((parts) => parts.join(''));

/** What the repository holds or would hold, binary files aside. */
function listTexts(): readonly string[] {
  const files = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { cwd: ROOT, encoding: 'utf8' })
    .trim()
    .split('\n');
  return files.filter((file) => !/\.(png|jpe?g|webp|gif|woff2?|ico|pdf)$/.test(file));
}

it('no file speaks of the place where it was written', () => {
  const texts = listTexts();
  expect(texts.length).toBeGreaterThan(50);
  const found = texts.flatMap((file) => {
    const text = read(file);
    return FORBIDDEN.filter((word) => text.includes(word)).map((word) => `${file}: ${word}`);
  });
  expect(found).toEqual([]);
});

/** A file that was deleted and not yet committed is still listed. */
function read(file: string): string {
  try {
    return readFileSync(join(ROOT, file), 'utf8');
  } catch {
    return '';
  }
}
