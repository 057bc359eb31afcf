/** Shorter secrets would be found everywhere. */
const SHORTEST = 4;
/** The same for a part of a secret in base64. */
const SHORTEST_PART = 8;

export interface SecretPattern {
  /** Global. */
  readonly expression: RegExp;
  /** An upper limit of the length of a match. */
  readonly longest: number;
}

/** A part of the expression, with the length of its longest match. */
interface Piece {
  readonly source: string;
  readonly longest: number;
}

/**
 * Finds secrets as they are, and URL-, form-, HTML-, JSON- and base64-encoded, also one encoding within another. A text of one character per
 * byte is searched for their UTF-8 and ISO-8859-1 bytes.
 */
export function secretPattern(secrets: readonly string[]): SecretPattern | undefined {
  const forms = [...new Set(secrets.map((secret) => secret.trim()).filter(({ length }) => length >= SHORTEST))]
    .flatMap((secret) => [secret, ...base64Forms(secret)])
    // Of two forms that begin alike the longer one is tried first, so that it does not leave its end behind.
    .sort((a, b) => b.length - a.length);
  if (forms.length === 0) return undefined;
  const pieces = [...new Set(forms)].map(pieceOf);
  return {
    expression: new RegExp(pieces.map(({ source }) => source).join('|'), 'g'),
    longest: Math.max(...pieces.map(({ longest }) => longest)),
  };
}

/**
 * Without padding, and as it is within the base64 of a longer text, at each of three offsets: of `user:password`, of a posted form, of JSON.
 */
function base64Forms(secret: string): readonly string[] {
  const texts = [
    secret,
    encodeURIComponent(secret),
    new URLSearchParams({ '': secret }).toString().slice(1),
    JSON.stringify(secret).slice(1, -1),
  ];
  const bytes = [...texts.map((text) => Buffer.from(text)), ...(/[^\0-\xff]/.test(secret) ? [] : [Buffer.from(secret, 'latin1')])];
  return bytes.flatMap((one) => {
    const parts = [0, 1, 2].map((offset) => {
      const all = Buffer.concat([Buffer.alloc(offset), one]);
      // Characters at the edges contain bits of the bytes beside the secret.
      return all.toString('base64').slice(Math.ceil((offset * 8) / 6), Math.floor((all.length * 8) / 6));
    });
    return [one.toString('base64').replace(/=+$/, ''), ...parts.filter(({ length }) => length >= SHORTEST_PART)];
  });
}

function pieceOf(form: string): Piece {
  const runs = form.match(/\\+|\s+|[^\\\s]/gu) ?? [];
  const pieces = runs.map((run, index) => {
    if (run.startsWith('\\')) return repeated('\\', { least: run.length, most: (run.length + 1) * MOST_ESCAPES });
    // Texts are written on one line, which a secret may not be.
    if (/\s/.test(run)) return repeated(' ', { least: 1, most: run.length });
    return characterPiece(run, { mayBeEscaped: runs[index - 1]?.startsWith('\\') !== true });
  });
  return { source: pieces.map(({ source }) => source).join(''), longest: sum(pieces) };
}

/** The longest alternative of one character: four bytes, each as `%25252B`. */
const LONGEST_CHARACTER = 32;
const WHITE_SPACE = [
  '\\s',
  '\\+',
  '%(?:25){0,2}(?:20|0[9aAdD])',
  '\\\\{1,8}(?:[nrt]|u00(?:20|0[9aAdD]))',
  '&(?:amp;){0,2}(?:nbsp|#0{0,4}(?:32|9|10|13)|#[xX]0{0,4}(?:20|[9aAdD]));',
];
/** Backslashes before a character: JSON within JSON within JSON, and a Markdown escape. */
const MOST_ESCAPES = 8;

function repeated(character: string, { least, most }: { readonly least: number; readonly most: number }): Piece {
  const alternatives = character === ' ' ? WHITE_SPACE : encodingsOf(character);
  return { source: `(?:${alternatives.join('|')}){${String(least)},${String(most)}}`, longest: most * LONGEST_CHARACTER };
}

/** One character in each encoding. */
function characterPiece(character: string, { mayBeEscaped }: { readonly mayBeEscaped: boolean }): Piece {
  // No encoding in use changes them.
  if (/^[A-Za-z0-9]$/.test(character)) return { source: character, longest: 1 };
  const escapes = mayBeEscaped ? `\\\\{0,${String(MOST_ESCAPES)}}` : '';
  return { source: `${escapes}(?:${encodingsOf(character).join('|')})`, longest: MOST_ESCAPES + LONGEST_CHARACTER };
}

const HTML_NAMES: Readonly<Record<string, string>> = { '&': 'amp', '<': 'lt', '>': 'gt', '"': 'quot', "'": 'apos' };

/** Sources of regular expressions. No two of them match the same text: an almost complete match would be tried in all combinations. */
function encodingsOf(character: string): readonly string[] {
  const code = character.codePointAt(0) ?? 0;
  const utf8 = Buffer.from(character, 'utf8');
  const units = [...Array(character.length).keys()].map((index) => character.charCodeAt(index));
  // `&` itself may be encoded again: `&amp;lt;`.
  const reference = (inner: string): string => `&(?:amp;){0,2}${inner};`;
  const name = HTML_NAMES[character];
  const base64Url: Readonly<Record<string, string>> = { '+': '-', '/': '_' };
  const all = [
    ...(name === undefined ? [] : [reference(name)]),
    reference(`#0{0,4}${String(code)}`),
    reference(`#[xX]0{0,4}${anyCase(code.toString(16))}`),
    [...utf8].map(percent).join(''),
    ...(code > 0xff ? [] : [percent(code)]),
    // The backslashes before it are matched already.
    `(?<=\\\\)${units.map((unit) => `u${anyCase(unit.toString(16).padStart(4, '0'))}`).join('\\\\{1,8}')}`,
    ...[character, utf8.toString('latin1'), base64Url[character] ?? character].map(escapeSource),
  ];
  return [...new Set(all)];
}

/** `%25` is an encoded `%`. */
function percent(byte: number): string {
  return `%(?:25){0,2}${anyCase(byte.toString(16).padStart(2, '0'))}`;
}

function anyCase(hex: string): string {
  return hex.replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

function escapeSource(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function sum(pieces: readonly Piece[]): number {
  return pieces.reduce((total, { longest }) => total + longest, 0);
}
