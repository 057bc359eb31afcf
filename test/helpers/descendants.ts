import { readdirSync, readFileSync } from 'node:fs';

export interface Process {
  readonly pid: number;
  readonly args: string;
  readonly environment: string;
}

/** What a process has started, and what that has, as it is at this moment. */
export function descendants(parent: number): readonly Process[] {
  const table = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      try {
        const read = (file: string) => readFileSync(`/proc/${name}/${file}`, 'utf8');
        const [, ppid = ''] = /^\d+ \(.*\) \S (\d+)/s.exec(read('stat')) ?? [];
        return [{ pid: Number(name), parent: Number(ppid), args: read('cmdline'), environment: read('environ') }];
      } catch {
        // It ended while it was looked at, or is a zombie.
        return [];
      }
    });
  const below = (pid: number): readonly Process[] =>
    table.filter((each) => each.parent === pid).flatMap((each) => [each, ...below(each.pid)]);
  return below(parent);
}
