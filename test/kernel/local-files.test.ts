import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeReadError, openPrivateFolder, readTextFile } from '@platen/kernel';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const HERE = fileURLToPath(import.meta.url);

async function reasonOf(path: string): Promise<string> {
  return describeReadError(await readFile(path).catch((error: unknown) => error));
}

describe('describeReadError', () => {
  it.each([
    ['a file that is not there', `${HERE}.missing`, 'there is no such file'],
    ['a folder', fileURLToPath(new URL('.', import.meta.url)), 'it is a folder'],
    ['a path through a file', `${HERE}/below`, 'a part of the path is not a folder'],
    ['a name of 300 letters', `${HERE}${'x'.repeat(300)}`, 'its name is too long'],
  ])('says what is wrong with %s', async (_, path, reason) => {
    expect(await reasonOf(path)).toBe(reason);
  });

  it("tells the system's own code where it has no words, and nothing of what is no error of the system", () => {
    expect(describeReadError(Object.assign(new Error('secret'), { code: 'EIO' }))).toBe('EIO');
    expect(describeReadError(new Error('secret'))).toBe('unknown error');
  });
});

let folder: string;
let fifo: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  fifo = join(folder, 'fifo');
  execFileSync('sh', ['-c', 'mkfifo "$0"', fifo]);
});
afterAll(() => rm(folder, { recursive: true }));

const refusal = (path: string) => readTextFile(path, { regular: true }).then(String, describeReadError);

describe('a text file', () => {
  it('that must be regular is read, and no pipe, device or folder is waited for', async () => {
    const path = join(folder, 'file');
    await writeFile(path, '\uFEFFhéllo\n');
    expect(await readTextFile(path, { regular: true })).toBe('héllo\n');
    expect([await refusal(fifo), await refusal('/dev/zero')]).toEqual(Array(2).fill(expect.stringMatching(/^it is not a regular file/)));
    expect([await refusal(folder), await refusal(join(folder, 'missing'))]).toEqual(['it is a folder', 'there is no such file']);
  });

  it('else may come out of a pipe', async () => {
    const [text] = await Promise.all([readTextFile(fifo), writeFile(fifo, 'by a pipe\n')]);
    expect(text).toBe('by a pipe\n');
  });
});

let root = '';
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'platen-test-'));
});
afterEach(() => rm(root, { recursive: true }));

const modeOf = async (path: string) => (await stat(path)).mode & 0o777;

describe('a private folder', () => {
  it('is made with the folders above it, for this user alone, and may be there already', async () => {
    const folder = join(root, 'a', 'b', 'c');
    await openPrivateFolder(folder);
    await openPrivateFolder(folder);
    expect([await modeOf(folder), await modeOf(join(root, 'a'))]).toEqual([0o700, 0o700]);
  });

  it('is not made where a file or a link is', async () => {
    await writeFile(join(root, 'file'), '');
    await expect(openPrivateFolder(join(root, 'file', 'a'))).rejects.toThrow('ENOTDIR');
    await expect(openPrivateFolder(join(root, 'file'))).rejects.toThrow('EEXIST');
    await symlink(tmpdir(), join(root, 'link'));
    await expect(openPrivateFolder(join(root, 'link'))).rejects.toThrow('belongs to another user');
  });

  it.runIf(process.platform === 'linux')('is refused at once by a file system that takes no folders', async () => {
    await expect(openPrivateFolder('/proc/platen/a')).rejects.toThrow('ENOENT');
  });
});
