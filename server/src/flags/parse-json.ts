import { PlatenError } from '@platen/kernel';
import { MAX_DEPTH, namePath } from '@platen/schema';
import { describeJsonFault } from './json-fault.js';

/** The body, and the depth that any parameter may have: the storage state that a render returns is accepted as input. */
const DEEPEST = MAX_DEPTH + 1;

/** Estimated bytes of memory: the value and its references, in the parsed object and in the stored copy. */
const VALUE_BYTES = 32;
/** Additional bytes of an object or a list, even an empty one. */
const CONTAINER_BYTES = 80;
/** Additional bytes of a key: an object with many keys is a hash table. */
const KEY_BYTES = 64;

/** Objects and lists in one text: building them blocks the event loop. The storage state that a render returns has fewer. */
const MOST_CONTAINERS = 4_000_000;
/** Keys, objects and lists outside of the parameters that take objects: far more than there are parameters. */
const MAX_MEMBERS = 1000;
/** Keys of one object in a parameter that takes any keys: each key is copied, sorted and compared several times. */
const MOST_OBJECT_KEYS = 10_000;

interface Frame {
  /** Keys seen so far; undefined in an array. */
  readonly keys: Set<string> | undefined;
  /** The key of this value. */
  readonly name: string | undefined;
  /** In an array, the index of the current value. */
  index: number;
  /** It belongs to a parameter that takes objects. */
  readonly isFree: boolean;
}

export interface JsonLimits {
  /** Called with the bytes of memory that the values need, before that memory is allocated; throws to reject them. */
  takeMemory?(bytes: number): void;
  /** Names of the parameters whose values are objects with any number of keys; undefined: all parameters. */
  readonly objectKeys?: ReadonlySet<string>;
  /** The path of the object whose keys are parameters; by default the text itself. */
  readonly paramsAt?: readonly string[];
}

/**
 * Parses a JSON text (RFC 8259). Rejects texts that `JSON.parse` accepts although parsers disagree on them or handle them badly: a byte
 * order mark, invalid UTF-8, duplicate keys, unbounded nesting, lone surrogates, and keys that are an object's prototype. Lone surrogates
 * are accepted inside an object that is a parameter's value: there they are data, such as storage that a page has written.
 * @throws PlatenError `malformed_request`, `invalid_parameters` or `payload_too_large`, all before `JSON.parse` builds anything, unless the
 * grammar is wrong.
 */
export function parseJson(bytes: Buffer, limits: JsonLimits = {}): unknown {
  const text = decode(bytes);
  const { escapes, memory } = scan(text, limits);
  limits.takeMemory?.(memory);
  const value = parse(text);
  if (escapes) assertWellFormed(value);
  return value;
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf) throw malformed('the body begins with a byte order mark');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw malformed('the body is not valid UTF-8');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson(text);
  }
}

/** V8's own message quotes the body, which may contain credentials. */
function notJson(text: string): PlatenError {
  const problem = describeJsonFault(text);
  return malformed(`the body is not valid JSON${problem === undefined ? '' : `: ${problem}`}`);
}

/**
 * Scans the tokens without building values, so that a hostile text is rejected before `JSON.parse` allocates memory. `JSON.parse` checks
 * the grammar; this function checks only nesting and keys. Returns whether there are escaped surrogates, and the bytes of memory of all
 * values.
 */
function scan(text: string, limits: JsonLimits): { readonly escapes: boolean; readonly memory: number } {
  const frames: Frame[] = [];
  let name: string | undefined;
  let escapes = false;
  let memory = VALUE_BYTES;
  const counter = createCounter(limits);
  for (let at = 0; at < text.length; at += 1) {
    switch (text[at]) {
      case '"': {
        const end = endOfString(text, at);
        const raw = text.slice(at + 1, end);
        escapes ||= SURROGATE.test(raw);
        at = end;
        const frame = frames.at(-1);
        if (frame?.keys !== undefined && followedByColon(text, end + 1)) {
          name = keyOf(raw, text);
          counter.add(frame);
          assertKey(name, frame.keys, frames);
          memory += KEY_BYTES;
        }
        break;
      }
      case '{':
      case '[': {
        if (frames.length === DEEPEST) throw malformed(`the body is nested deeper than ${String(DEEPEST)} levels`);
        memory += CONTAINER_BYTES;
        const isFree = counter.isFree(name, frames);
        const frame = { keys: text[at] === '{' ? new Set<string>() : undefined, name, index: 0, isFree };
        counter.addContainer(frame);
        frames.push(frame);
        name = undefined;
        break;
      }
      case ',': {
        memory += VALUE_BYTES;
        const frame = frames.at(-1);
        if (frame !== undefined) frame.index += 1;
        break;
      }
      case '}':
      case ']':
        frames.pop();
        break;
    }
  }
  return { escapes, memory };
}

/** Rejects texts whose values would take too long to build. */
function createCounter({ objectKeys, paramsAt = [] }: JsonLimits) {
  let containers = 0;
  let members = 0;
  const add = ({ isFree, keys }: Frame): void => {
    if (isFree && (keys?.size ?? 0) >= MOST_OBJECT_KEYS)
      throw malformed(`an object in the body has more than ${String(MOST_OBJECT_KEYS)} keys`);
    if (isFree) return;
    members += 1;
    if (members > MAX_MEMBERS) throw tooManyMembers(objectKeys);
  };
  return {
    isFree: (name: string | undefined, frames: readonly Frame[]): boolean =>
      objectKeys === undefined || (isAt(paramsAt, frames) && objectKeys.has(name ?? '')) || frames.at(-1)?.isFree === true,
    /** A key of the object. */
    add,
    addContainer(frame: Frame): void {
      containers += 1;
      if (containers > MOST_CONTAINERS) throw tooMany();
      add(frame);
    },
  };
}

function isAt(path: readonly string[], frames: readonly Frame[]): boolean {
  return frames.length === path.length + 1 && path.every((key, at) => frames[at + 1]?.name === key);
}

const SURROGATE = /\\u[dD][89a-fA-F]/;
const LONE_SURROGATE = /\p{Surrogate}/u;

/** Index of the closing quote: the first one with an even number of backslashes before it. */
function endOfString(text: string, open: number): number {
  for (let end = text.indexOf('"', open + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let slashes = 0;
    while (text[end - 1 - slashes] === '\\') slashes += 1;
    if (slashes % 2 === 0) return end;
  }
  throw notJson(text);
}

function followedByColon(text: string, from: number): boolean {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\n' || text[at] === '\r') at += 1;
  return text[at] === ':';
}

function keyOf(raw: string, text: string): string {
  if (!raw.includes('\\')) return raw;
  try {
    return String(JSON.parse(`"${raw}"`));
  } catch {
    throw notJson(text);
  }
}

function assertKey(key: string, keys: Set<string>, frames: readonly Frame[]): void {
  if (key === '__proto__') throw refusedKey(key, frames);
  if (keys.has(key)) {
    const path = pathOf(key, frames);
    throw wrongKey(path[0], `"${namePath(path)}" is given twice`);
  }
  keys.add(key);
}

/** The path of a key of the innermost object: names and indexes. */
function pathOf(key: string, frames: readonly Frame[]): readonly [string, ...(string | number)[]] {
  const outer = frames.slice(1).map(({ name }, at) => name ?? frames[at]?.index ?? 0);
  const [first, ...others] = [...outer, key];
  return [String(first), ...others];
}

function refusedKey(key: string, frames: readonly Frame[]): PlatenError {
  const path = pathOf(key, frames);
  if (path.length === 1) return wrongKey(key, `unknown parameter "${key}"`);
  return wrongKey(path[0], `"${namePath(path)}" has a name that is not allowed`);
}

function wrongKey(parameter: string, detail: string): PlatenError {
  return new PlatenError('invalid_parameters', detail, { errors: [{ parameter, detail }] });
}

/** Checks the body's own keys, and values that are text or lists. */
function assertWellFormed(body: unknown): void {
  if (typeof body !== 'object' || body === null) assertText(body);
  else {
    for (const [key, value] of Object.entries(body)) {
      assertText(key);
      assertText(value);
    }
  }
}

function assertText(value: unknown): void {
  if (typeof value === 'string' && LONE_SURROGATE.test(value)) {
    throw malformed('the body contains an unpaired surrogate, which is not a character');
  }
  if (Array.isArray(value)) for (const item of value) assertWellFormed(item);
}

function tooMany(): PlatenError {
  return new PlatenError('payload_too_large', `the body has more than ${String(MOST_CONTAINERS)} objects and lists`);
}

function tooManyMembers(objectKeys: ReadonlySet<string> = new Set()): PlatenError {
  const place = objectKeys.size === 0 ? '' : ` outside of ${[...objectKeys].map((key) => `"${key}"`).join(', ')}`;
  return malformed(`the body has more than ${String(MAX_MEMBERS)} keys, objects and lists${place}: send render parameters only`);
}

function malformed(detail: string): PlatenError {
  return new PlatenError('malformed_request', detail);
}
