import { mkdirSync, statSync } from 'node:fs';
import module from 'node:module';
import { isAbsolute, join } from 'node:path';

/**
 * Keeps compiled code (Node 22.8 and later) in a folder to which only this user can write: Node's default is shared. Without such a folder it
 * does nothing.
 */
export function keepCompiledCode() {
  try {
    keep();
  } catch {
    // It only makes a start faster.
  }
}

function keep() {
  const { XDG_CACHE_HOME: cache = '', HOME: home = '' } = process.env;
  if (module.enableCompileCache === undefined || (!isAbsolute(cache) && !isAbsolute(home))) return;
  const folder = join(isAbsolute(cache) ? cache : join(home, '.cache'), 'platen', 'code');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid === process.getuid?.() && (mode & 0o022) === 0) module.enableCompileCache(folder);
}
