import { existsSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * The advice for a command that was not allowed to write.
 * @param {string} output what npm ("npm error path /a/b") or the compiler ("Could not write file '/a/b': EACCES") printed
 * @param {string} root the clone, used if the output names no file
 * @returns {string | undefined} undefined if the command failed for another reason
 */
export function adviceIfNotWritable(output, root) {
  if (!/\b(?:EACCES|EPERM|EROFS)\b/.test(output)) return undefined;
  const file = /^npm \S+ path (.+)$/m.exec(output)?.[1] ?? /'([^']+)': (?:EACCES|EPERM|EROFS)/.exec(output)?.[1];
  let folder = file === undefined ? root : dirname(file.trim());
  while (!existsSync(folder) && folder !== dirname(folder)) folder = dirname(folder);
  return `This user cannot write to the folder ${folder}: change its owner ("chown"), start as its owner, or clone into a writable folder.`;
}
