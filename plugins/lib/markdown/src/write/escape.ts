import { firstCharacter, flanks, lastCharacter, READINGS } from './flanking.js';

/** A text with its neighbors. */
export interface TextPlace {
  readonly value: string;
  readonly before: string;
  readonly after: string;
  readonly inLink: boolean;
}

export interface EscapeOptions {
  /** A table cell: pipes are escaped. */
  readonly cell: boolean;
  /** The characters of the block's own emphasis. */
  readonly own: ReadonlySet<string>;
}

const RUN = /\*+|_+|~+/g;

/**
 * Escapes the texts of one block so that a parser reads them as text. Escapes only what could be misread: a single asterisk, an underscore
 * within a word and a bracket that begins no link stay unchanged. GitHub Flavored Markdown's own syntax (strikethrough, links of bare URLs,
 * footnotes) is escaped in both formats.
 */
export function escapeTexts(places: readonly TextPlace[], options: EscapeOptions): readonly string[] {
  const risky = findRiskyRuns(places, options.own);
  let run = 0;
  return places.map((place) => {
    const nextRunIsRisky = () => risky[run++] === true;
    return escapeText(place, { ...options, nextRunIsRisky });
  });
}

/** For every run of `*`, `_` and `~` in the texts, in order: whether it could pair with another run, or with the block's own emphasis. */
function findRiskyRuns(places: readonly TextPlace[], own: ReadonlySet<string>): readonly boolean[] {
  const runs = places.flatMap(({ value, before, after }) =>
    [...value.matchAll(RUN)].map(({ 0: text, index }) => {
      const [character = ''] = text;
      const left = index > 0 ? lastCharacter(value.slice(0, index)) : lastCharacter(before);
      const end = index + text.length;
      const right = firstCharacter(end < value.length ? value.slice(end, end + 2) : after);
      const read = READINGS.map((reading) => flanks({ delimiter: character, before: left, after: right }, reading));
      // This many tildes are a fence at the start of a line.
      return {
        character,
        fence: text.startsWith('~~~'),
        canOpen: read.some(({ canOpen }) => canOpen),
        canClose: read.some(({ canClose }) => canClose),
      };
    }),
  );
  const firstOpener = new Map<string, number>();
  const lastCloser = new Map<string, number>();
  runs.forEach(({ character, canOpen, canClose }, at) => {
    if (canOpen && !firstOpener.has(character)) firstOpener.set(character, at);
    if (canClose) lastCloser.set(character, at);
  });
  return runs.map(
    ({ character, fence, canOpen, canClose }, at) =>
      fence ||
      (own.has(character)
        ? canOpen || canClose
        : (canOpen && at < (lastCloser.get(character) ?? -1)) || (canClose && at > (firstOpener.get(character) ?? Infinity))),
  );
}

type Escaper = EscapeOptions & { nextRunIsRisky(): boolean };

const SPECIAL = /\*+|_+|~+|[\\`[\]!<&|@]|:(?=\/\/)|(?<=[wW]{3})\./g;

const ESCAPABLE = /^[!-/:-@[-`{-~]/;
const ENTITY = /^&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]*);/;
const TAG_START = /^<[A-Za-z/!?]/;
const SCHEME = /(?:^|[^A-Za-z])(?:https?|ftp)$/i;
const WWW = /(?:^|[^A-Za-z0-9])www$/i;
const MAIL_BEFORE = /[A-Za-z0-9._+-]$/;
const MAIL_AFTER = /^[A-Za-z0-9_-]/;

function escapeText(place: TextPlace, options: Escaper): string {
  const { value } = place;
  return value.replace(SPECIAL, (match, at: number) => {
    if (match.startsWith('*') || match.startsWith('_') || match.startsWith('~')) {
      return options.nextRunIsRisky() ? match.replace(/./g, '\\$&') : match;
    }
    const before = value.slice(Math.max(0, at - 8), at);
    return mustEscape({ match, before, rest: value.slice(at, at + 40), place, options }) ? `\\${match}` : match;
  });
}

interface Special {
  readonly match: string;
  readonly before: string;
  /** From the character on. */
  readonly rest: string;
  readonly place: TextPlace;
  readonly options: EscapeOptions;
}

function mustEscape({ match, before, rest, place, options }: Special): boolean {
  const following = rest.length > 1 ? rest.slice(1) : place.after;
  switch (match) {
    case '`':
      return true;
    case '\\':
      return following === '' || following.startsWith('\n') || ESCAPABLE.test(following);
    case '[':
      return place.inLink || /^[\^!]/.test(following);
    case ']':
      return place.inLink || following.startsWith('(');
    case '!':
      return following.startsWith('[') && rest.length === 1;
    case '<':
      return TAG_START.test(rest.length > 1 ? rest : `<${place.after}`);
    case '&':
      return ENTITY.test(rest);
    case '|':
      return options.cell;
    case '@':
      return MAIL_BEFORE.test(before) && MAIL_AFTER.test(following);
    case ':':
      return SCHEME.test(before);
    default:
      return WWW.test(before);
  }
}
