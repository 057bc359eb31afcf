import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A file system of its own that is soon full. */
export interface SmallDisk extends Disposable {
  readonly path: string;
  /** Leaves this many bytes free. */
  fillTo(free: number): Promise<void>;
}

/** Undefined where this user may not mount one. */
export function mountSmallDisk(bytes: number): SmallDisk | undefined {
  const path = mkdtempSync(join(tmpdir(), 'platen-test-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${String(bytes)}`, 'tmpfs', path], { stdio: 'ignore' });
  } catch {
    rmSync(path, { recursive: true });
    return undefined;
  }
  return {
    path,
    async fillTo(free) {
      const { bavail, bsize } = statfsSync(path);
      await writeFile(join(path, 'filler'), Buffer.alloc(bavail * bsize - free));
    },
    [Symbol.dispose]() {
      // Whoever still has a file of it open keeps it from nobody else.
      execFileSync('umount', ['-l', path]);
      rmSync(path, { recursive: true });
    },
  };
}

/** For the title of what is skipped. */
export const NEEDS_MOUNT = 'needs leave to mount a tmpfs';
