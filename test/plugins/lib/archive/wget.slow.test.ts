import { readFile } from 'node:fs/promises';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { openSite } from '../../../helpers/site.js';
import { opened, zip } from './archive-files.js';

const TEXT = 'text '.repeat(1000);
const FORM = 'question=1&other=%C3%A4';

it('reads what wget archives: redirects, errors, coded bodies, a posted form, and what it found again', async () => {
  await using site = await openSite({
    '/': '<!doctype html><p>home</p><a href="/moved">moved</a> <a href="/coded">coded</a> <a href="/absent">absent</a>',
    '/moved': { status: 301, headers: { location: '/target?b=1&a=2' } },
    '/target': 'target',
    '/coded': { headers: { 'content-type': 'text/plain', 'content-encoding': 'gzip' }, body: gzipSync(TEXT) },
  });
  await using folder = await openCheckedFile(Buffer.alloc(0), 'none');
  const run = async (name: string, ...args: readonly string[]) => {
    const file = folder.beside(name);
    const common = ['--no-verbose', '--no-proxy', '--tries=1', `--warc-file=${file}`, `--directory-prefix=${folder.beside('files')}`];
    // 8: of the link that leads nowhere.
    await runChecker('wget', [...common, ...args]).catch((error: unknown) => expect(error).toMatchObject({ code: 8 }));
    return await readFile(`${file}.warc.gz`);
  };
  const crawl = ['--recursive', '--compression=auto', '--warc-cdx'];
  const first = await run('first', ...crawl, site.url('/'));
  await using archive = await opened(first);
  expect(await archive.text(site.url('/'))).toContain('<p>home</p>');
  expect((await archive.find(site.url('/moved')))?.response).toMatchObject({ status: 301 });
  expect(await archive.text(site.url('/target?b=1&a=2'), { match: 'exact' })).toBe('target');
  expect(await archive.text(site.url('/coded'))).toBe(TEXT);
  expect((await archive.find(site.url('/absent')))?.response.status).toBe(404);

  const posted = await run('posted', `--post-data=${FORM}`, site.url('/target'));
  await using form = await opened(posted);
  const ask = { method: 'POST', body: Buffer.from(FORM), contentType: 'application/x-www-form-urlencoded' };
  expect(await form.text(site.url('/target'), { ...ask, match: 'exact' })).toBe('target');
  expect(await form.find(site.url('/target'))).toBeUndefined();

  const again = await run('again', ...crawl, `--warc-dedup=${folder.beside('first')}.cdx`, site.url('/'));
  expect(gunzipSync(again).toString('latin1')).toContain('WARC-Type: revisit');
  await using both = await opened(await zip({ 'archive/again.warc.gz': again, 'archive/first.warc.gz': first }));
  expect(await both.text(site.url('/coded'))).toBe(TEXT);
  // The revisits alone have no bodies.
  await using revisits = await opened(again);
  await expect(revisits.find(site.url('/coded'))).rejects.toThrow('refers to a response that the archive lacks');
});
