import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

const folders = ['../security/', '../faults/'].map((folder) => new URL(folder, import.meta.url));

it('every test that the tables of attacks and faults name is there', () => {
  const missing = folders.flatMap((folder) => {
    const rows = readFileSync(new URL('README.md', folder), 'utf8')
      .split('\n')
      .filter((line) => /^\| [SILF]\d/.test(line));
    expect(rows.length).toBeGreaterThan(10);
    return rows.flatMap((row) => {
      let last = folder;
      const named = [...(row.split('|').at(-2) ?? '').matchAll(/`([^`]+\.(?:ts|mjs))`/g)].map(([, path = '']) => {
        // A bare name after a path lies beside it.
        const url = new URL(path, path.includes('/') ? folder : last);
        last = url;
        return url;
      });
      expect(named.length, row).toBeGreaterThan(0);
      return named.filter((url) => !existsSync(url)).map(({ pathname }) => pathname);
    });
  });
  expect(missing).toEqual([]);
});
