import { describe, expect, it } from 'vitest';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Readable } from 'node:stream';
import { readTarget } from '../../../server/src/cli/read-capture.js';

const cwd = tmpdir();

describe('the target of a single capture', () => {
  it.each([
    ['example.com', 'https://example.com/'],
    ['example.com/index.html', 'https://example.com/index.html'],
    ['example.com:8080?q=1', 'https://example.com:8080/?q=1'],
    ['localhost/a.html', 'http://localhost/a.html'],
    ['README.md', 'https://readme.md/'],
    ['http://intranet/a.html', 'http://intranet/a.html'],
    ['intranet:8080/a.html', 'https://intranet:8080/a.html'],
    ['localhost:3000/a', 'http://localhost:3000/a'],
    ['no address', 'no address'],
    ['javascript:alert(1)', 'javascript:alert(1)'],
    ['file:///etc/hosts', 'file:///etc/hosts'],
    ['data:text/html,x', 'data:text/html,x'],
  ])('%s is %s', async (word, url) => {
    expect(await readTarget(word, { file: 'page.png', cwd, isList: false })).toEqual({ params: { url } });
  });

  it.each(['/none/hosts', './none.html', '../none.svg', '~/a.html', 'site/none.html', 'a b/c/none.pdf', 'none.html', 'site/none.v2.html'])(
    '%s is told to be a missing file',
    async (word) => {
      const reading = readTarget(word, { file: 'page.png', cwd, isList: false });
      await expect(reading).rejects.toThrow(`${word} cannot be read: there is no such file`);
    },
  );

  it('is a file of the folder, with those beside it, or its index.html', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'target-'));
    await mkdir(join(folder, 'a b'));
    const path = join(folder, 'a b', 'index.html');
    await writeFile(path, '<h1>hi</h1>');
    const params = { url: 'index.html', upload: { 'index.html': 'data:;base64,PGgxPmhpPC9oMT4=' } };
    for (const word of ['a b/index.html', './a b/index.html', './a b', path])
      expect(await readTarget(word, { file: undefined, cwd: folder, isList: false })).toEqual({
        params,
        readLocalFile: expect.any(Function) as unknown,
        fileUrl: pathToFileURL(path).href,
      });
    await expect(readTarget('./', { file: undefined, cwd: folder, isList: false })).rejects.toThrow('index.html cannot be read');
    await rm(folder, { recursive: true });
  });

  it('may be HTML from standard input, which is read once', async () => {
    const stdin = Readable.from([Buffer.from('<p>')]);
    const target = { params: { url: 'https://upload.invalid/', upload: { 'index.html': 'data:text/html;base64,PHA+' } } };
    for (let time = 0; time < 2; time += 1)
      expect(await readTarget('-', { file: undefined, cwd, isList: false, openStdin: () => stdin })).toEqual(target);
    const terminal = Object.assign(Readable.from([]), { isTTY: true });
    await expect(readTarget('-', { file: undefined, cwd, isList: false, openStdin: () => terminal })).rejects.toThrow('no HTML is sent');
  });

  it.each([
    ['urls.txt', 'text/plain'],
    ['sitemap.xml', 'application/xml'],
    ['./sitemap.xml.gz', 'application/gzip'],
  ])('a list of URLs may be a file: %s', async (name, type) => {
    const folder = await mkdtemp(join(tmpdir(), 'target-'));
    await writeFile(join(folder, name), 'https://example.com/ü');
    const { params } = await readTarget(name, { file: 'site.wacz', cwd: folder, isList: true });
    expect(params.url).toBe(`data:${type};base64,${Buffer.from('https://example.com/ü').toString('base64')}`);
    await expect(readTarget('./absent.txt', { file: 'site.wacz', cwd: folder, isList: true })).rejects.toThrow('cannot be read');
    await rm(folder, { recursive: true });
  });

  it('says in which order URL and file stand', async () => {
    await expect(readTarget('page.png', { file: 'https://example.com', cwd, isList: false })).rejects.toThrow(
      expect.objectContaining({ hint: 'the URL comes first: platen URL FILE' }),
    );
  });
});
