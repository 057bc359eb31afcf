import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMPARE_COMMAND } from '../../../../plugins/output/compare/src/compare-command.js';
import { exitCodeOf } from '../../../../server/src/flags/exit-codes.js';
import { writeFolders } from './image-folders.js';

let cwd: string;
beforeAll(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'platen-compare-'));
  await writeFolders(cwd);
});
afterAll(() => rm(cwd, { recursive: true }));

async function run(...args: readonly string[]) {
  let stdout = '';
  const write = (text: string) => (stdout += text);
  const openServer = () => Promise.reject(new Error('it needs no server'));
  const code = await COMPARE_COMMAND.run(args, { stdout: { write }, stderr: { write }, environment: {}, cwd, openServer });
  return { code, lines: stdout.trimEnd().split('\n') };
}

describe('platen compare', () => {
  it('names each image that is not equal, and ends with 3', async () => {
    expect(await run('old', 'new')).toEqual({
      code: 3,
      lines: [
        'beyond     home.png: 600 pixels (1 %) differ, in 1 region',
        'beyond     sub/wide.tiff: 2000 pixels (3.23 %) differ, in 1 region',
        '3 images: 1 equal, 2 beyond the limits',
      ],
    });
  });

  it.each([
    [['old', 'old'], 0, '3 images: 3 equal'],
    [['old', 'new', '--compare-max-pixels', '2000'], 0, '3 images: 1 equal, 2 within the limits'],
    [['old', 'new', '--compare-max-pixels', '600'], 3, '3 images: 1 equal, 1 within the limits, 1 beyond the limits'],
    [['old', 'new', '--compare-max-ratio', '0.01'], 3, '3 images: 1 equal, 1 within the limits, 1 beyond the limits'],
    [['old', 'new', '--compare-threshold', '1'], 3, '3 images: 2 equal, 1 beyond the limits'],
    [['old', 'broken'], 1, '4 images: 2 missing, 2 unreadable'],
  ])('%j ends with %d', async (args, code, last) => {
    const found = await run(...args);
    expect([found.code, found.lines.at(-1)]).toEqual([code, last]);
  });

  it.each(['bmp', 'jxl'])('names %s, which it cannot read', async (format) => {
    const folder = join(cwd, format);
    await mkdir(folder);
    await writeFile(join(folder, `home.${format}`), 'BM');
    expect(await run(format, format)).toEqual({
      code: 1,
      lines: [`unreadable home.${format}: in NEW, it is not png, jpg, webp, avif, tiff or gif`, '1 image: 1 unreadable'],
    });
  });

  it('follows links to images', async () => {
    for (const folder of ['old', 'new']) {
      await mkdir(join(cwd, `linked-${folder}`));
      await symlink(join(cwd, folder, 'home.png'), join(cwd, `linked-${folder}`, 'home.png'));
    }
    expect((await run('linked-old', 'linked-new')).code).toBe(3);
    expect((await run('linked-old', 'linked-old')).lines).toEqual(['1 image: 1 equal']);
  });

  it('names what is missing and unreadable', async () => {
    expect((await run('old', 'broken')).lines).toEqual([
      'unreadable home.png: in NEW, it is damaged',
      'missing    more.png: only in NEW',
      'unreadable same.webp: in NEW, it is not png, jpg, webp, avif, tiff or gif',
      'missing    sub/wide.tiff: only in OLD',
      '4 images: 2 missing, 2 unreadable',
    ]);
  });

  it('writes the report of a comparison without differences, too', async () => {
    await run('old', 'old', '--out', 'equal.html');
    expect(await readFile(join(cwd, 'equal.html'), 'utf8')).toContain('3 images: 3 equal');
  });

  it.each([
    [['nowhere', 'new'], 'nowhere'],
    [['old', 'nowhere'], 'nowhere'],
    [['old', 'old/home.png/sub'], 'old/home.png/sub'],
  ])('%j: names the folder that cannot be read, which is not wrong usage', async (args, folder) => {
    const error: unknown = await run(...args).catch((thrown: unknown) => thrown);
    expect([exitCodeOf(error), error]).toEqual([
      1,
      expect.objectContaining({ message: expect.stringContaining(`cannot read ${join(cwd, folder)}: `) }),
    ]);
  });

  it.each([
    [['old'], 'compare takes two folders: platen compare OLD NEW'],
    [['old', 'new', 'more'], 'compare takes two folders: platen compare OLD NEW'],
    [['old', 'old/home.png'], 'not a folder'],
    [['old', 'new', '--compare-max-pixels', '1.5'], '--compare-max-pixels must be a whole number from 0 on'],
    [['old', 'new', '--compare-max-ratio', '2'], '--compare-max-ratio must be a number from 0 to 1'],
    [['old', 'new', '--compare-threshold', ''], '--compare-threshold must be a number from 0 to 1'],
    [['old', 'new', '--frob'], 'platen compare --help'],
    [['old', 'new', '--out', 'nowhere/report.html'], 'nowhere/report.html: there is no such file'],
    [['empty', 'empty'], 'neither folder has an image'],
  ])('refuses %j', async (args, message) => {
    await mkdir(join(cwd, 'empty'), { recursive: true });
    await writeFile(join(cwd, 'empty/note.txt'), 'no image');
    await expect(run(...args)).rejects.toMatchObject({ code: 'invalid_parameters', message: expect.stringContaining(message) });
  });
});
