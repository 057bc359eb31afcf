import { execFile } from 'node:child_process';
import { type FileHandle, lstat, mkdir, mkdtemp, open, readdir, readFile, readlink, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { assertWritable, writeToFile, writeToNewFile } from '../../../server/src/cli/write-output.js';
import { callCli } from '../../helpers/call-cli.js';
import { CLI, runCli } from '../../helpers/run-cli.js';
import { openSite } from '../../helpers/site.js';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  await mkdir(join(folder, 'elsewhere'));
  return () => rm(folder, { recursive: true });
});

const NEW = { body: Buffer.from('new') };
const at = (...parts: readonly string[]) => join(folder, ...parts);
const read = (...parts: readonly string[]) => readFile(at(...parts), 'utf8');

async function write(path: string): Promise<number> {
  await assertWritable(path);
  return await writeToFile(NEW, path);
}

async function openFile(name: string, flags: string): Promise<FileHandle> {
  const file = await open(at(name), flags);
  onTestFinished(() => file.close());
  return file;
}

describe('a path that is a symlink', () => {
  it('stays one: its target is what is written', async () => {
    await writeFile(at('elsewhere', 'page.png'), 'old');
    await symlink('elsewhere/page.png', at('second.png'));
    await symlink(at('second.png'), at('page.png'));
    expect(await write(at('page.png'))).toBe(3);
    expect(await readlink(at('page.png'))).toBe(at('second.png'));
    expect(await readlink(at('second.png'))).toBe('elsewhere/page.png');
    expect(await read('elsewhere', 'page.png')).toBe('new');
    expect(await readdir(at('elsewhere'))).toEqual(['page.png']);
  });

  it('may lead to what is not there yet', async () => {
    await symlink('elsewhere/page.png', at('page.png'));
    expect(await write(at('page.png'))).toBe(3);
    expect((await lstat(at('page.png'))).isSymbolicLink()).toBe(true);
    expect(await read('elsewhere', 'page.png')).toBe('new');
  });

  it('is refused where its folder is missing, and where it leads round in a circle', async () => {
    await symlink('nowhere/page.png', at('page.png'));
    await symlink('circle.png', at('circle.png'));
    for (const task of [assertWritable, (path: string) => writeToFile(NEW, path)]) {
      await expect(task(at('page.png'))).rejects.toThrow(/page\.png: there is no such folder$/);
      await expect(task(at('circle.png'))).rejects.toThrow(/circle\.png: its symbolic links form a loop$/);
    }
    expect(await readdir(folder)).toEqual(expect.arrayContaining(['circle.png', 'page.png']));
  });
});

describe('a path that is an open descriptor', () => {
  it('is written through, behind what it is to be kept', async () => {
    const file = await openFile('log', 'a');
    await file.write('kept ');
    await symlink(`/proc/self/fd/${String(file.fd)}`, at('stdout'));
    expect(await write(at('stdout'))).toBe(3);
    expect(await read('log')).toBe('kept new');
    expect(await readlink(at('stdout'))).toMatch(/^\/proc\/self\/fd\//);
    expect((await readdir(folder)).sort()).toEqual(['elsewhere', 'log', 'stdout']);
  });

  it('may be of a file that has no name any more', async () => {
    const file = await openFile('gone', 'w+');
    await rm(at('gone'));
    expect(await write(`/proc/self/fd/${String(file.fd)}`)).toBe(3);
    expect(String(await file.readFile())).toBe('new');
    expect(await readdir(folder)).toEqual(['elsewhere']);
  });
});

const PAGE = 'data:text/html,<p>hello';
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47]);
const inShell = (redirect: string, ...args: readonly string[]) =>
  promisify(execFile)('sh', ['-c', `"$0" "$@" ${redirect}`, process.execPath, CLI, PAGE, ...args], { cwd: folder });

describe('/dev/stdout', () => {
  it('is stdout: a pipe, and a file', async () => {
    const { code, stdout } = await runCli([PAGE, '/dev/stdout']);
    expect({ code, start: stdout.subarray(0, 4) }).toEqual({ code: 0, start: PNG });
    await inShell('> page.png', '/dev/stdout');
    expect((await readFile(at('page.png'))).subarray(0, 4)).toEqual(PNG);
  });
});

describe('a full disk', () => {
  const full = { code: 6, stderr: expect.stringMatching(/^platen: cannot write .*: the disk is full\n$/) as string };

  it('is 6 for stdout, in words', async () => {
    await expect(inShell('> /dev/full', '-', '--output-type', 'png')).rejects.toMatchObject(full);
  });

  it.each(['/dev/full', 'page.png'])('is 6 for %s, in words', async (file) => {
    await symlink('/dev/full', at('page.png'));
    expect(await callCli([PAGE, file, '--output-type', 'png'], { cwd: folder })).toMatchObject(full);
    expect(await readlink(at('page.png'))).toBe('/dev/full');
  });
});

describe('a name that the target has given', () => {
  it('replaces no file, nor writes through a link', async () => {
    await writeFile(at('package.json'), 'mine');
    await symlink('elsewhere/page.png', at('page.png'));
    for (const name of ['package.json', 'page.png']) {
      const refused = {
        name: 'OutputError',
        message: expect.stringMatching(`${name}: it exists already.*name the file yourself`) as string,
      };
      await expect(writeToNewFile(NEW, at(name))).rejects.toThrow(expect.objectContaining(refused) as Error);
    }
    expect(await read('package.json')).toBe('mine');
    expect(await readdir(at('elsewhere'))).toEqual([]);
  });

  it('is free again if the content does not arrive', async () => {
    const cutOff = function* () {
      yield Buffer.from('some');
      throw new Error('cut off');
    };
    const body = Readable.from(cutOff());
    await expect(writeToNewFile({ body }, at('page.png'))).rejects.toThrow('cut off');
    expect(await readdir(folder)).toEqual(['elsewhere']);
    expect(await writeToNewFile(NEW, at('page.png'))).toBe(3);
    expect(await read('page.png')).toBe('new');
  });

  it('is used by a download without a file name; the error names the file', async () => {
    const headers = { 'content-type': 'application/octet-stream', 'content-disposition': 'attachment; filename=package.json' };
    await using site = await openSite({ '/': { headers, body: 'of the site' } });
    const args = [site.url('/'), '--output-type', 'download'];
    expect(await callCli(args, { cwd: folder })).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('package.json (11 bytes)') as string,
    });
    await writeFile(at('package.json'), '{}');
    expect(await callCli(args, { cwd: folder })).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(/package\.json: it exists already/) as string,
    });
    expect(await read('package.json')).toBe('{}');
  });
});
