import { FORMATS, type Fragment, type Source, takesList, typesOf } from './fragment.js';
import type { MissingPart } from './request-schema.js';
import { DECIMAL } from './coerce.js';
import { nearest } from './nearest.js';

const MAX_ECHO = 60;
/** A place in a value consists mostly of names from the schema, and is useless without its end. */
const MAX_PLACE = 200;

/** Quotes a word of the request, escapes control characters and truncates long words. */
export function quote(text: string, max = MAX_ECHO): string {
  return JSON.stringify(text.length > max ? `${text.slice(0, max)}…` : text);
}

/** What a validator found: the place in the value, and the keyword that refuses it with its parameters. */
export interface Violation {
  readonly instancePath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
  readonly message?: string;
  readonly data?: unknown;
  readonly parentSchema?: object | undefined;
}

export interface FoundError {
  readonly fragment: Fragment;
  readonly error: Violation;
  readonly source: Source;
}

/**
 * Explains why the value of a key is refused: the key, the place in it, and the valid values. The value itself is repeated only for an
 * enumeration: other values may be secret.
 */
export function explainError(key: string, value: unknown, { fragment, error, source }: FoundError): string {
  const name = nameOf(key, error.instancePath);
  if (Array.isArray(value) && !takesList(fragment) && (source === 'query' || !typesOf(fragment).includes('object')))
    return `${name} takes a single value${value.length > 1 ? ` (got ${value.length})` : ', not a list'}`;
  if (error.keyword === 'required') return `${name} must have ${quote(String(error.params.missingProperty))}`;
  if (error.keyword === 'additionalProperties') return `${name} must not have ${quote(String(error.params.additionalProperty))}`;
  // `verbose` adds the fragment at the error's own level.
  const place = error.parentSchema as Fragment;
  const expected = place['x-expects'] ?? fragment['x-expects'] ?? expectation(place, error.data) + wayOf(place, error, source);
  if (place.enum !== undefined) return `${name} must be ${expected}${got(error.data)}`;
  return `${name} must be ${expected}${error.keyword === 'type' ? gotType(place, error.data, source) : ''}`;
}

/** The type of a refused value of JSON. All values of a query and of flags are text, and 1.5 is a number as an integer is. */
function gotType(place: Fragment, value: unknown, source: Source): string {
  if (source === 'query' || source === 'flags' || (typeof value === 'number' && typesOf(place).includes('integer'))) return '';
  const type = Array.isArray(value) ? 'list' : value === null ? 'null' : typeof value;
  return ` (got ${type === 'null' ? '' : type === 'object' ? 'an ' : 'a '}${type})`;
}

/** For text in place of an object, the message explains how to send an object. */
function wayOf(place: Fragment, { instancePath, data }: Violation, source: Source): string {
  if (instancePath !== '' || typeof data !== 'string' || !typesOf(place).includes('object')) return '';
  if (source === 'query') return ', which only a JSON body can hold';
  return source === 'flags' ? ', written as JSON' : '';
}

/** `"cookie[2]"`, `"navigator_data.login"`. */
export function nameOf(key: string, pointer: string): string {
  const steps = pointer.split('/').slice(1);
  return quote(
    key + steps.map((step) => (/^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll('~1', '/').replaceAll('~0', '~')}`)).join(''),
    MAX_PLACE,
  );
}

function got(value: unknown): string {
  if (typeof value === 'string') return ` (got ${quote(value)})`;
  return typeof value === 'number' || typeof value === 'boolean' ? ` (got ${String(value)})` : '';
}

/** The required form of a value, as a phrase after "must be". */
function expectation(fragment: Fragment, value: unknown): string {
  if (fragment.enum !== undefined) return fragment.enum.length === 1 ? String(fragment.enum[0]) : `one of: ${fragment.enum.join(', ')}`;
  if (fragment.const !== undefined) return JSON.stringify(fragment.const);
  if (fragment.type === undefined && fragment.anyOf !== undefined)
    return either(fragment.anyOf.map((branch) => expectation(branch, value)));
  return either(typesOf(fragment).map((type) => phrase(type, fragment, value)));
}

function phrase(type: string, fragment: Fragment, value: unknown): string {
  if (type === 'integer' || type === 'number') return numberPhrase(type, fragment, value);
  if (type === 'string') return stringPhrase(fragment);
  if (type === 'boolean') return 'true or false';
  if (type === 'array') return listPhrase(fragment);
  const { additionalProperties: entries } = fragment;
  return typeof entries === 'object' ? `an object of ${plural(entries)}` : 'an object';
}

/** "between 1 and 16" is enough if a number was sent; for other values the message names the type, too. */
function numberPhrase(type: 'integer' | 'number', fragment: Fragment, value: unknown): string {
  const { low, high } = boundsOf(fragment, value);
  const isRightType = type === 'integer' ? Number.isInteger(value) : typeof value === 'number';
  const noun = nounOf(type, value);
  if (low?.word === 'at least' && high?.word === 'at most') {
    return `${isRightType ? '' : `${noun}${noun.includes(',') ? ',' : ''} `}between ${low.bound} and ${high.bound}`;
  }
  const range = [low, high].flatMap((end) => (end === undefined ? [] : `${end.word} ${end.bound}`)).join(' and ');
  if (range === '') return noun;
  if (isRightType && low !== undefined && high !== undefined) return range;
  return `${noun}${noun.includes(',') ? ',' : ''} ${range.startsWith('at ') ? 'of ' : ''}${range}`;
}

/** `1e9` and `1.` are numbers to most readers, so the message describes the expected notation. */
function nounOf(type: 'integer' | 'number', value: unknown): string {
  const written = typeof value === 'string' && value.trim() !== '' && !Number.isNaN(Number(value)) && !DECIMAL.test(value);
  if (type === 'integer') return written ? 'an integer in plain decimal digits' : 'an integer';
  return written ? 'a number in plain decimal digits, such as 2 or 0.5' : 'a number';
}

interface End {
  readonly word: string;
  readonly bound: number;
}

/** A format's own maximum is mentioned only if the value exceeds it. */
function boundsOf({ format, ...own }: Fragment, value: unknown): { readonly low: End | undefined; readonly high: End | undefined } {
  const range = format === undefined ? undefined : FORMATS[format];
  const maximum = own.maximum ?? (range !== undefined && typeof value === 'number' && value > range.maximum ? range.maximum : undefined);
  return {
    low: own.exclusiveMinimum === undefined ? end('at least', own.minimum ?? range?.minimum) : end('greater than', own.exclusiveMinimum),
    high: own.exclusiveMaximum === undefined ? end('at most', maximum) : end('less than', own.exclusiveMaximum),
  };
}

function end(word: string, bound: number | undefined): End | undefined {
  return bound === undefined ? undefined : { word, bound };
}

function stringPhrase({ minLength = 0, maxLength, pattern }: Fragment): string {
  const noun = minLength === 1 ? 'a non-empty string' : 'a string';
  const atLeast = minLength > 1 ? [`at least ${minLength}`] : [];
  const length = [...atLeast, ...(maxLength === undefined ? [] : [`at most ${maxLength}`])].join(' and ');
  return `${noun}${length === '' ? '' : ` of ${length} characters`}${pattern === undefined ? '' : ` that matches ${pattern}`}`;
}

function listPhrase({ items = {}, minItems, maxItems }: Fragment): string {
  const least = minItems === undefined ? [] : [`at least ${minItems}`];
  const count = [...least, ...(maxItems === undefined ? [] : [`at most ${maxItems}`])].join(' and ');
  return `a list of ${count === '' ? '' : `${count} `}${plural(items)}`;
}

function plural(fragment: Fragment): string {
  const [type, ...others] = typesOf(fragment);
  return type === undefined || others.length > 0 ? 'values' : (PLURALS[type] ?? 'values');
}

const PLURALS: Readonly<Record<string, string>> = {
  string: 'strings',
  integer: 'integers',
  number: 'numbers',
  boolean: 'booleans',
  array: 'lists',
  object: 'objects',
};

function either(phrases: readonly string[]): string {
  const [last = 'a different value', ...others] = phrases.toReversed();
  const rest = others.toReversed().join(', ');
  if (rest === '') return last;
  return `${rest}${last.includes(' or ') ? ', ' : ' or '}${last}`;
}

/** Explains why a key is refused from its source, whatever its value. */
export function explainSource(key: string, allowed: readonly Source[]): string {
  const places = allowed.includes('body') || allowed.includes('mcp') ? ['a JSON or multipart body'] : [];
  if (allowed.includes('query')) places.push('a query string');
  if (allowed.includes('flags')) places.push('a command line');
  return `${quote(key)} is accepted in ${either(places)} only`;
}

interface Known {
  /** Kind of the name: `parameter`, `flag`. */
  readonly noun: string;
  readonly names: readonly string[];
  readonly absent?: readonly MissingPart[];
  /** The replacement for a name used by other tools. */
  suggest?(name: string): string | undefined;
}

/** Explains that a missing plugin provides the refused name; `what` is shown as given. */
export function explainMissing(
  what: string,
  { plugin, leftOut = false, broken = false }: Pick<MissingPart, 'plugin' | 'leftOut' | 'broken'>,
): string {
  const lack = broken ? 'cannot be loaded' : leftOut ? 'this build does not include' : 'is not enabled';
  return `${what} needs the plugin "${plugin}", which ${lack}`;
}

/** Why a name is refused that no enabled plugin has. */
export function explainUnknown(name: string, { noun, names, absent = [], suggest }: Known): string {
  const owner = absent.find(({ keys }) => keys.includes(name));
  if (owner !== undefined) return explainMissing(quote(name), owner);
  const near = nearest(name, names);
  const hint = suggest?.(name) ?? (near === undefined ? undefined : `did you mean "${near}"?`);
  return `unknown ${noun} ${quote(name)}${hint === undefined ? '' : `: ${hint}`}`;
}
