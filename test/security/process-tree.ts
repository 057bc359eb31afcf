import { readdir, readFile } from 'node:fs/promises';

/** The process and all below it. */
export async function listDescendants(pid: number): Promise<readonly number[]> {
  const tasks = await readdir(`/proc/${String(pid)}/task`).catch(() => []);
  const children = await Promise.all(tasks.map((task) => readFile(`/proc/${String(pid)}/task/${task}/children`, 'utf8').catch(() => '')));
  const below = await Promise.all(
    children
      .flatMap((each) => each.split(' ').filter(Boolean))
      .map(Number)
      .map(listDescendants),
  );
  return [pid, ...below.flat()];
}
