import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Values that could not be written to the clone, by file: they are valid for this run. */
const unwritten = new Map();

/** @returns {any} the value stored under that name; undefined if there is none */
export function recall(root, name) {
  const file = join(root, '.runtime', name);
  if (unwritten.has(file)) return unwritten.get(file);
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/** Only saves time at the next start: if it cannot be written, a warning is printed once and the setup continues. */
export function remember(root, name, value) {
  const folder = join(root, '.runtime');
  const file = join(folder, name);
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, JSON.stringify(value));
    unwritten.delete(file);
  } catch (error) {
    if (unwritten.size === 0)
      process.stderr.write(`setup: cannot write to ${folder} (${error.code}): the next start repeats the checks, which takes longer\n`);
    unwritten.set(file, value);
  }
}
