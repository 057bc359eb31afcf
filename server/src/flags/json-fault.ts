type Opening = '{' | '[';
type Expected = 'value' | 'first value' | 'key' | 'first key' | ':' | 'next member' | 'next item' | 'end';
type Token = '{' | '[' | '}' | ']' | ',' | ':' | 'string' | 'literal' | 'end' | 'other';

const WORDS: Readonly<Record<Expected, string>> = {
  value: 'a value',
  'first value': 'a value or "]"',
  key: 'a key in double quotes',
  'first key': 'a key in double quotes or "}"',
  ':': '":"',
  'next member': '"," or "}"',
  'next item': '"," or "]"',
  end: 'nothing more',
};

/**
 * The position of the first syntax error in a JSON text (RFC 8259), and the expected token: `line 1, column 12: expected a value`. It does
 * not quote the text, which may contain credentials. Undefined for valid JSON.
 */
export function describeJsonFault(text: string): string | undefined {
  const open: Opening[] = [];
  let expected: Expected = 'value';
  for (let at = skipBlanks(text, 0); ; at = skipBlanks(text, at)) {
    const { token, end, fault } = readToken(text, at);
    if (fault !== undefined) return `${placeOf(text, end)}: ${fault}`;
    const next = follow(expected, token, open);
    if (next === undefined) return `${placeOf(text, at)}: expected ${WORDS[expected]}${token === 'end' ? ' and not the end' : ''}`;
    if (token === 'end') return undefined;
    expected = next;
    at = end;
  }
}

/** The tokens that may come next; undefined if this token is not allowed here. */
function follow(expected: Expected, token: Token, open: Opening[]): Expected | undefined {
  const isValue = expected === 'value' || expected === 'first value';
  const isKey = expected === 'key' || expected === 'first key';
  switch (token) {
    case '{':
    case '[':
      if (!isValue) return undefined;
      open.push(token);
      return token === '{' ? 'first key' : 'first value';
    case '}':
    case ']':
      if (!(token === '}' ? ['first key', 'next member'] : ['first value', 'next item']).includes(expected)) return undefined;
      open.pop();
      return afterValue(open);
    case ',':
      return expected === 'next member' ? 'key' : expected === 'next item' ? 'value' : undefined;
    case ':':
      return expected === ':' ? 'value' : undefined;
    case 'string':
      return isKey ? ':' : isValue ? afterValue(open) : undefined;
    case 'literal':
      return isValue ? afterValue(open) : undefined;
    case 'end':
      return expected === 'end' ? 'end' : undefined;
    case 'other':
      return undefined;
  }
}

function afterValue(open: readonly Opening[]): Expected {
  const innermost = open.at(-1);
  if (innermost === undefined) return 'end';
  return innermost === '{' ? 'next member' : 'next item';
}

interface Read {
  readonly token: Token;
  /** The position after the token, or of the error in it. */
  readonly end: number;
  readonly fault?: string;
}

const LITERAL = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)(?![\w.+-])/y;

function readToken(text: string, at: number): Read {
  const character = text[at];
  switch (character) {
    case undefined:
      return { token: 'end', end: at };
    case '{':
    case '[':
    case '}':
    case ']':
    case ',':
    case ':':
      return { token: character, end: at + 1 };
    case '"':
      return readString(text, at);
  }
  LITERAL.lastIndex = at;
  return LITERAL.test(text) ? { token: 'literal', end: LITERAL.lastIndex } : { token: 'other', end: at };
}

const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

function readString(text: string, open: number): Read {
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (character === '"') return { token: 'string', end: at + 1 };
    if (character < ' ') return { token: 'string', end: at, fault: 'a line break or control character inside a string' };
    if (character !== '\\') continue;
    ESCAPE.lastIndex = at;
    if (!ESCAPE.test(text)) return { token: 'string', end: at, fault: 'an escape that JSON does not define' };
    at = ESCAPE.lastIndex - 1;
  }
  return { token: 'string', end: open, fault: 'a string without its closing quote' };
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return at;
}

/** Counted from 1, as editors do. */
function placeOf(text: string, at: number): string {
  const before = text.slice(0, at).split(/\r\n|\r|\n/);
  return `line ${String(before.length)}, column ${String((before.at(-1)?.length ?? 0) + 1)}`;
}
