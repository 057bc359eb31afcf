import type { Emphasis } from '../tree.js';
import { firstCharacter, flanks, lastCharacter, type Reading, READINGS } from './flanking.js';
import type { Piece, Pieces } from './pieces.js';

/** The notation of a pair of delimiters. */
export interface Delimiter {
  readonly open: string;
  readonly close: string;
}

const star = (text: string): Delimiter => ({ open: text, close: text });
const tag = (name: string): Delimiter => ({ open: `<${name}>`, close: `</${name}>` });

const COMMON: Readonly<Record<Emphasis, readonly Delimiter[]>> = {
  em: [star('*'), star('_'), tag('em')],
  strong: [star('**'), star('__'), tag('strong')],
  del: [tag('del')],
};
const GFM = { ...COMMON, del: [star('~~'), tag('del')] };

/** Maximum number of repairs: the remaining pairs become tags. */
const MOST_REPAIRS = 40;

/**
 * Chooses the delimiters of every pair so that a parser pairs them as intended: the usual ones, then the alternatives, and if neither works
 * (a bold quotation between letters of a script without spaces), the HTML tag, which is valid CommonMark.
 */
export function chooseDelimiters({ pieces, pairs }: Pieces, { gfm }: { readonly gfm: boolean }): readonly Delimiter[] {
  const candidates = pairs.map((kind) => (gfm ? GFM : COMMON)[kind]);
  const choice = pairs.map(() => 0);
  const chosen = () => candidates.map((list, pair) => list[choice[pair] ?? 0] ?? list[list.length - 1] ?? tag('em'));
  const giveUp = (pair: number) => {
    choice[pair] = Math.min((choice[pair] ?? 0) + 1, (candidates[pair]?.length ?? 1) - 1);
  };
  if (pairs.length === 0) return [];
  // All parsers agree on the class of ASCII characters.
  const readings = pieces.some((piece) => piece.kind !== 'delimiter' && NOT_ASCII.test(piece.value)) ? READINGS : READINGS.slice(0, 1);
  for (let repair = 0; repair < MOST_REPAIRS; repair += 1) {
    const delimiters = chosen();
    const scopes = readings.flatMap((reading) => findRuns({ pieces, delimiters, reading }));
    const impossible = new Set(scopes.flat().flatMap(blockedPairs));
    const wrong = impossible.size > 0 ? [...impossible] : scopes.flatMap(simulate).slice(0, 1);
    if (wrong.length === 0) return delimiters;
    wrong.forEach(giveUp);
  }
  return candidates.map((list) => list.at(-1) ?? tag('em'));
}

const NOT_ASCII = /[^\u0000-\u007F]/;

/** Pairs with a delimiter that its neighbors make invalid. */
function blockedPairs({ canOpen, canClose, ends }: Run): readonly number[] {
  return ends.filter(({ side }) => (side === 'open' ? !canOpen : !canClose)).map(({ pair }) => pair);
}

/** Runs of delimiters, separately for link texts: emphasis never crosses their ends. */
function findRuns({ pieces, delimiters, reading }: Written): readonly (readonly Run[])[] {
  const scopes: Run[][] = [[]];
  const open: Run[][] = [scopes[0] ?? []];
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at];
    if (piece?.kind === 'enter') {
      const scope: Run[] = [];
      scopes.push(scope);
      open.push(scope);
    } else if (piece?.kind === 'leave') open.pop();
    const character = delimiterCharacter(piece, delimiters);
    if (character === undefined) continue;
    let end = at;
    while (delimiterCharacter(pieces[end + 1], delimiters) === character) end += 1;
    open.at(-1)?.push(makeRun({ pieces, delimiters, reading }, { character, at, end }));
    at = end;
  }
  return scopes;
}

/** `*`, `_` or `~`; undefined if the piece has another notation. */
function delimiterCharacter(piece: Piece | undefined, delimiters: readonly Delimiter[]): string | undefined {
  if (piece?.kind !== 'delimiter') return undefined;
  const [character] = delimiters[piece.pair]?.open ?? '';
  return character === '<' ? undefined : character;
}

interface Written {
  readonly pieces: readonly Piece[];
  readonly delimiters: readonly Delimiter[];
  readonly reading: Reading;
}

interface Span {
  readonly character: string;
  readonly at: number;
  readonly end: number;
}

function makeRun({ pieces, delimiters, reading }: Written, { character, at, end }: Span): Run {
  const ends = pieces
    .slice(at, end + 1)
    .flatMap((piece) =>
      piece.kind === 'delimiter' ? [{ pair: piece.pair, side: piece.side, length: delimiters[piece.pair]?.open.length ?? 0 }] : [],
    );
  const before = lastCharacter(writtenAs(pieces[at - 1], delimiters));
  const after = firstCharacter(writtenAs(pieces[end + 1], delimiters));
  return { character, ends, ...flanks({ delimiter: character, before, after }, reading) };
}

/** Only its first and last characters matter: an escape before a character does not change its class. */
function writtenAs(piece: Piece | undefined, delimiters: readonly Delimiter[]): string {
  if (piece === undefined) return '';
  return piece.kind === 'delimiter' ? (delimiters[piece.pair]?.[piece.side] ?? '') : piece.value;
}

/** Adjacent delimiters of one character, as a parser sees them. */
interface Run {
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
function simulate(runs: readonly Run[]): readonly number[] {
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
