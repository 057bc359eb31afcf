import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../../helpers/run-cli.js';

const PAGE = `<meta charset="utf-8"><link rel="stylesheet" href="css/a.css"><p>shown</p><i>hidden by a file</i><p id="statuses"></p>
<script>
  const loads = ['a.json', '..%2fsecret', 'link', 'none'].map(async (url) => (await fetch(url)).status);
  Promise.all(loads).then((found) => { document.querySelector('#statuses').textContent = found; document.body.className = 'done'; });
</script>`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-files-'));
  await mkdir(join(folder, 'site/css'), { recursive: true });
  await writeFile(join(folder, 'site/index.html'), PAGE);
  await writeFile(join(folder, 'site/a.json'), '{}');
  await writeFile(join(folder, 'site/css/a.css'), 'i{display:none}');
  await writeFile(join(folder, 'secret'), 'secret');
  await symlink('../secret', join(folder, 'site/link'));
});
afterAll(() => rm(folder, { recursive: true }));

it.each(['./site/index.html', 'site/index.html', './site'])('%s is rendered with the files that it loads from its folder', async (word) => {
  const result = await runCli([word, 'page.txt', '--wait-for', 'css:.done'], { cwd: folder });
  expect([result.code, result.stderr]).toEqual([0, '']);
  expect((await readFile(join(folder, 'page.txt'), 'utf8')).split(/\n+/).filter(Boolean)).toEqual(['shown', '200,404,404,404']);
});

it('a file whose name looks like a scheme is rendered', async () => {
  await writeFile(join(folder, 'notes:today.html'), '<p>notes');
  const result = await runCli(['./notes:today.html', '-', '--output-type', 'txt'], { cwd: folder });
  expect([result.code, String(result.stdout).trim()]).toEqual([0, 'notes']);
});

it('a crawl goes on with the state of its own folder only', async () => {
  const crawl = async (from: string) => {
    await mkdir(join(folder, 'out.warc.state'), { recursive: true });
    const mark = { url: pathToFileURL(join(folder, from)).href, output_type: 'warc' };
    await writeFile(join(folder, 'out.warc.state/render.json'), JSON.stringify(mark));
    return runCli(['./site/index.html', 'out.warc', '--crawl-links'], { cwd: folder });
  };
  const other = await crawl('other/index.html');
  expect([other.code, other.stderr]).toEqual([2, expect.stringMatching(/holds an interrupted render of file:.*other\/index\.html/)]);
  expect((await crawl('site/index.html')).code).toBe(0);
});

it('standard input is rendered, also if the command line has a mistake that needs all plugins to explain', async () => {
  const result = await runCli(['-', '-', '--output-type', 'txt'], { cwd: folder, input: '<p>from a pipe' });
  expect([result.code, String(result.stdout).trim()]).toEqual([0, 'from a pipe']);
  const mistaken = await runCli(['-', 'page.pdf', '--pdf-width', 'x'], { cwd: folder, input: '<p>' });
  expect([mistaken.code, mistaken.stderr]).toEqual([2, expect.stringContaining('"pdf_width" must be')]);
});

it('a file that is missing, or needs a disabled plugin, is a mistake', async () => {
  const missing = await runCli(['./none.html', 'page.png'], { cwd: folder });
  expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('./none.html cannot be read: there is no such file')]);
  const disabled = await runCli(['./site/index.html', 'page.png', '--disable-plugins', 'upload'], { cwd: folder });
  expect([disabled.code, disabled.stderr]).toEqual([2, expect.stringContaining('needs the plugin "upload"')]);
});
