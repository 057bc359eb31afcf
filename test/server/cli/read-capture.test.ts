import { describe, expect, it } from 'vitest';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readTarget } from '../../../server/src/cli/read-capture.js';

const cwd = tmpdir();

describe('the target of a single capture', () => {
  it.each([
    ['example.com', 'https://example.com/'],
    ['example.com/index.html', 'https://example.com/index.html'],
    ['example.com:8080?q=1', 'https://example.com:8080/?q=1'],
    ['index.html', 'https://index.html/'],
    ['localhost:3000/a', 'http://localhost:3000/a'],
    ['no address', 'no address'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['file:///etc/hosts', 'file:///etc/hosts'],
    ['data:text/html,x', 'data:text/html,x'],
  ])('%s is %s', async (word, url) => {
    expect(await readTarget(word, { file: 'page.png', cwd, isList: false })).toBe(url);
  });

  it.each(['/etc/hosts', './index.html', '../a.svg', '~/a.html'])('%s is told to be a file', async (word) => {
    await expect(readTarget(word, { file: 'page.png', cwd, isList: false })).rejects.toThrow(`${word} is a file; Platen renders URLs`);
  });

  it('a document of the folder is told to be a file', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'target-'));
    await writeFile(join(folder, 'index.html'), '<h1>hi</h1>');
    await expect(readTarget('index.html', { file: undefined, cwd: folder, isList: false })).rejects.toThrow('index.html is a file');
    await rm(folder, { recursive: true });
  });

  it.each([
    ['urls.txt', 'text/plain'],
    ['sitemap.xml', 'application/xml'],
    ['./sitemap.xml.gz', 'application/gzip'],
  ])('a list of URLs may be a file: %s', async (name, type) => {
    const folder = await mkdtemp(join(tmpdir(), 'target-'));
    await writeFile(join(folder, name), 'https://example.com/ü');
    const url = await readTarget(name, { file: 'site.wacz', cwd: folder, isList: true });
    expect(url).toBe(`data:${type};base64,${Buffer.from('https://example.com/ü').toString('base64')}`);
    await expect(readTarget('./absent.txt', { file: 'site.wacz', cwd: folder, isList: true })).rejects.toThrow('is a file');
    await rm(folder, { recursive: true });
  });

  it('says in which order URL and file stand', async () => {
    await expect(readTarget('page.png', { file: 'https://example.com', cwd, isList: false })).rejects.toThrow(
      expect.objectContaining({ hint: 'the URL comes first: platen URL FILE' }),
    );
  });
});
