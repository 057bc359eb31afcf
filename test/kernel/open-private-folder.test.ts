import { mkdtemp, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openPrivateFolder } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

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
