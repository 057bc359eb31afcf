import { type Fragment, itemOf, takesList, typesOf } from './fragment.js';
import type { RequestSchema } from './request-schema.js';

/** How a query writes a number. */
export const DECIMAL = /^-?(\d+(\.\d+)?|\.\d+)$/;
const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);
/** Other ways to write them, where the text has no meaning of another type. */
const MORE_WORDS: ReadonlyMap<string, boolean> = new Map([
  ...(['1', 'yes', 'on'] as const).map((word) => [word, true] as const),
  ...(['0', 'no', 'off'] as const).map((word) => [word, false] as const),
]);

interface Given {
  /** Undefined for a key without a value. */
  readonly texts: (string | undefined)[];
  /** Written `key[]=`. */
  readonly isList: boolean;
}

/**
 * A query's decoded pairs as raw values of their keys' types. Never refuses: a value that does not fit its key is passed on unchanged (a
 * scalar key given twice: as a list), and the validator reports it with all other errors. An empty value means unset, and stays empty if
 * the key refuses that; a boolean key without a value (`?full_page`) is true.
 */
export function coerceQuery(pairs: Iterable<QueryPair>, schema: RequestSchema): Record<string, unknown> {
  const given = new Map<string, Given>();
  for (const [name, text] of pairs) {
    const isList = name.endsWith('[]');
    const key = isList ? name.slice(0, -2) : name;
    const earlier = given.get(key);
    if (earlier === undefined) given.set(key, { texts: [text], isList });
    else earlier.texts.push(text);
  }
  // `fromEntries` creates own properties for all names, including `__proto__`, so that the validator sees and refuses them.
  return Object.fromEntries([...given].map(([key, values]) => [key, coerceGiven(values, schema.keys.get(key)?.fragment)]));
}

function coerceGiven({ texts, isList }: Given, fragment: Fragment | undefined): unknown {
  const [first, ...others] = texts;
  const written = texts.map((text) => text ?? '');
  if (fragment === undefined) return others.length > 0 ? written : (first ?? '');
  const wantsList = isList || others.length > 0 || typesOf(fragment).join() === 'array';
  if (wantsList && takesList(fragment)) {
    const items = itemOf(fragment);
    return written.every((item) => item === '')
      ? coerceEmpty(fragment)
      : written.map((item) => (item === '' ? item : coerceScalar(item, items)));
  }
  if (others.length > 0) return written;
  return first === undefined && typesOf(fragment).includes('boolean') ? true : coerceScalar(first ?? '', fragment);
}

/** Lists are repeated keys, and a query string has no objects. */
function coerceScalar(text: string, fragment: Fragment): unknown {
  return coerceAs(
    text,
    fragment,
    typesOf(fragment).filter((type) => type !== 'array' && type !== 'object'),
  );
}

/**
 * Converts one text (of a flag or a variable) to the fragment's type. Text that does not fit is returned unchanged, for the validator to
 * explain. Lists and objects may be written as JSON; other text becomes a list of one. Empty text is treated as in a query.
 */
export function coerceText(text: string, fragment: Fragment): unknown {
  return coerceAs(text, fragment, typesOf(fragment));
}

function coerceAs(text: string, fragment: Fragment, types: readonly string[]): unknown {
  if (text === '') return coerceEmpty(fragment);
  const forms = [...types.map((type) => coerceTo(type, text, { fragment, types })).filter((form) => form !== undefined), text];
  const isMember = (form: unknown) => fragment.enum?.some((member) => member === form) ?? true;
  return forms.find(isMember) ?? forms[0];
}

/** Unset, unless the key cannot be unset by a value or refuses empty values. */
function coerceEmpty({ nullable, 'x-refuses-empty': refuses }: Fragment): '' | null {
  return nullable === false || refuses === true ? '' : null;
}

/** Undefined if the text does not represent the type. */
function coerceTo(
  type: string,
  text: string,
  { fragment, types }: { readonly fragment: Fragment; readonly types: readonly string[] },
): unknown {
  if (type === 'boolean') {
    const word = text.toLowerCase();
    return WORDS.get(word) ?? (isTaken(text, { fragment, types }) ? undefined : MORE_WORDS.get(word));
  }
  if (type === 'integer' || type === 'number') return DECIMAL.test(text) ? Number(text) : undefined;
  if (type === 'array') return parseJson(text, '[') ?? (types.length === 1 ? [coerceText(text, itemOf(fragment))] : undefined);
  return type === 'object' ? parseJson(text, '{') : undefined;
}

/** Whether `1`, `0` or a word may be a value of another type; false for an enumeration without it. */
function isTaken(text: string, { fragment, types }: { readonly fragment: Fragment; readonly types: readonly string[] }): boolean {
  const isNumber = DECIMAL.test(text);
  const reads = (type: string) => type === 'string' || (isNumber && (type === 'integer' || type === 'number'));
  return fragment.enum?.some((member) => String(member) === text) ?? types.some(reads);
}

function parseJson(text: string, opening: '[' | '{'): unknown {
  if (!text.trimStart().startsWith(opening)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** One parameter of a query string, decoded; the text is undefined for a name without a value (`?full_page`). */
export type QueryPair = readonly [name: string, text: string | undefined];

/**
 * A query's parameters in order, form-decoded by the URL standard (a plus is a blank), without a leading question mark. `URLSearchParams`
 * alone reads `full_page` and `full_page=` as the same.
 */
export function parseQuery(query: string): readonly QueryPair[] {
  // It skips only empty parts between ampersands, so both lists match by index.
  const written = query.split('&').filter((part) => part !== '');
  const decoded = new URLSearchParams(written.join('&').replace(/^\?/, '%3F'));
  return [...decoded].map(([name, text], index) => [name, written[index]?.includes('=') === false ? undefined : text]);
}
