/** Adjacent delimiters of one character, as a parser sees them. */
export interface Run {
  readonly character: string;
  readonly canOpen: boolean;
  readonly canClose: boolean;
  /** The intended meaning of the run, in output order. */
  readonly ends: readonly { readonly pair: number; readonly side: 'open' | 'close'; readonly length: number }[];
}

interface Live {
  readonly run: Run;
  readonly total: number;
  readonly ends: { pair: number; length: number }[];
  active: boolean;
}

/**
 * Pairs the runs as a CommonMark parser does (0.31.2, "process emphasis") and returns the first pairs that differ from the intended ones.
 */
export function simulate(runs: readonly Run[]): readonly number[] {
  const live: Live[] = runs.map((run) => ({
    run,
    total: run.ends.reduce((sum, { length }) => sum + length, 0),
    ends: run.ends.map(({ pair, length }) => ({ pair, length })),
    active: true,
  }));
  const bottoms = new Map<string, number>();
  for (const [at, closer] of live.entries()) {
    while (closer.run.canClose && closer.ends.length > 0) {
      const kind = `${closer.run.character}${String(closer.run.canOpen)}${String(closer.total % 3)}`;
      const from = findOpener(live, at, bottoms.get(kind) ?? 0);
      const opener = live[from];
      if (opener === undefined) {
        bottoms.set(kind, at);
        break;
      }
      const wrong = pair(opener, closer);
      if (wrong !== undefined) return [wrong];
      for (const between of live.slice(from + 1, at)) between.active = false;
    }
  }
  const left = live.find(({ ends }) => ends.length > 0)?.ends[0];
  return left === undefined ? [] : [left.pair];
}

function findOpener(live: readonly Live[], at: number, bottom: number): number {
  const closer = live[at];
  for (let from = at - 1; from >= bottom && closer !== undefined; from -= 1) {
    const opener = live[from];
    if (opener === undefined || !opener.active || !opener.run.canOpen || opener.ends.length === 0) continue;
    if (opener.run.character === closer.run.character && !isOddMatch(opener, closer)) return from;
  }
  return -1;
}

/** "The sum of the lengths must not be a multiple of 3", if one of the two can both open and close. */
function isOddMatch(opener: Live, closer: Live): boolean {
  if (opener.run.character === '~') return opener.total !== closer.total;
  return (opener.run.canClose || closer.run.canOpen) && closer.total % 3 !== 0 && (opener.total + closer.total) % 3 === 0;
}

/** Removes the delimiters that a parser would match; returns the pair that is not intended. */
function pair(opener: Live, closer: Live): number | undefined {
  const left = (end: Live) => end.ends.reduce((sum, { length }) => sum + length, 0);
  const used = left(opener) >= 2 && left(closer) >= 2 ? 2 : 1;
  const begin = opener.ends.pop();
  const end = closer.ends.shift();
  if (begin === undefined || end === undefined) return begin?.pair ?? end?.pair;
  return begin.pair === end.pair && begin.length === used && end.length === used ? undefined : end.pair;
}
