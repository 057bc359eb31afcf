import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';

/** One line of `go tool pprof -top -lines`. */
export interface TopLine {
  /** In milliseconds or bytes: by itself, and with what it called. */
  readonly flat: number;
  readonly cumulative: number;
  /** The function, and where it is: `burn http:/site/page:4`. Go takes one slash out of a URL, which it holds for a path. */
  readonly place: string;
}

async function run(bytes: Buffer, args: readonly string[]): Promise<string> {
  await using file = await openCheckedFile(bytes, 'pb.gz');
  return (await runChecker('go', ['tool', 'pprof', ...args, file.path])).toString();
}

/** What Go's own pprof lists of scripts, without the browser's own work, which is the more the busier the machine is; `tagfocus` (`target=worker`) narrows it. */
export async function listTop(bytes: Buffer, { unit, tagFocus }: { unit: 'ms' | 'B'; tagFocus?: string }): Promise<readonly TopLine[]> {
  const focus = tagFocus === undefined ? [] : [`-tagfocus=${tagFocus}`];
  const text = await run(bytes, ['-top', '-lines', '-nodefraction=0', `-unit=${unit}`, ...focus]);
  const number = String.raw`([\d.]+)(?:ms|B)?`;
  const line = new RegExp(String.raw`^\s*${number}\s+\S+%\s+\S+%\s+${number}\s+\S+%\s+(.+?)\s*$`);
  return text.split('\n').flatMap((row) => {
    const [, flat, cumulative, place = ''] = line.exec(row) ?? [];
    // `(program)` and its like, but not `(anonymous)`, which has a script.
    return flat === undefined || /^\([^)]*\)$/.test(place) ? [] : [{ flat: Number(flat), cumulative: Number(cumulative), place }];
  });
}

/** All that is in the profile, as text. */
export function printRaw(bytes: Buffer): Promise<string> {
  return run(bytes, ['-raw']);
}
