import { chmod, lstat, mkdir, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isMissing } from './file-errors.js';

/** Creates a folder that only this user can access, and its parents; throws if another user owns a folder of that name. */
export async function openPrivateFolder(folder: string): Promise<void> {
  await makeFolder(folder);
  const found = await lstat(folder);
  const isOwn = process.getuid === undefined || found.uid === process.getuid();
  if (!found.isDirectory() || !isOwn) throw new Error(`${folder} belongs to another user`);
  if ((found.mode & 0o077) !== 0) await chmod(folder, 0o700);
}

/** Level by level: Node's recursive mkdir retries forever in an existing folder that allows no subfolders, such as /proc. */
async function makeFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    if (!isMissing(error) || dirname(folder) === folder) throw error;
    await makeFolder(dirname(folder));
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o700 }).catch(async (error: unknown) => {
    const there = await stat(folder).catch(() => undefined);
    if (there?.isDirectory() !== true) throw error;
  });
}
