import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** Every Markdown page of the repository that is no fixture: its text by its path from the root. */
export function readPages(): ReadonlyMap<string, string> {
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', '*.md'], { cwd: ROOT, encoding: 'utf8' });
  const files = listed.trim().split('\n');
  return new Map(
    // A page that was deleted and not yet committed is still listed.
    files
      .filter((file) => !file.startsWith('test/fixtures/') && existsSync(join(ROOT, file)))
      .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')]),
  );
}
