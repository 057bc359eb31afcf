/** A value's nesting: deeper than any real storage state or JSON Schema, far below the limit of recursion. */
export const MAX_DEPTH = 1000;

/** Names through which an unsafe merge reaches a prototype. No parameter needs them. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isPrototypeName(name: string): boolean {
  return PROTOTYPE_NAMES.has(name);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The reason why a value is not JSON; the message follows the name of the value. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

/** A deep-frozen copy of plain data; throws `NotJsonError` for values that JSON cannot represent or that are unsafe to pass on. */
export function immutableJson(value: unknown): unknown {
  return copyOf(value, []);
}

/** `path`: the names and indices leading to the value; one shared list, as long as the value is deep. */
function copyOf(value: unknown, path: (string | number)[]): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new NotJsonError(`contains a value that JSON cannot represent${placeOf(path)}`);
  if (path.length === MAX_DEPTH) throw new NotJsonError(`is nested too deeply: at most ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return Object.freeze(value.map((item, index) => copyAt(item, index, path)));
  if (!isObject(value) || Object.prototype.toString.call(value) !== '[object Object]') {
    throw new NotJsonError(`contains a value that JSON cannot represent${placeOf(path)}`);
  }
  // A storage state may have a million objects: this loop is five times as fast as entries mapped to entries.
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    // At deeper levels the other names are data, such as a page's storage.
    if (name === '__proto__' || (path.length === 0 && isPrototypeName(name)))
      throw new NotJsonError(`contains the name "${name}", which is not allowed${placeOf(path)}`);
    copy[name] = copyAt(value[name], name, path);
  }
  return Object.freeze(copy);
}

function copyAt(value: unknown, at: string | number, path: (string | number)[]): unknown {
  if (value === null || typeof value !== 'object') return copyOf(value, path);
  path.push(at);
  const copy = copyOf(value, path);
  path.pop();
  return copy;
}

/** The place in the value, for the end of a message; empty for the value itself. */
function placeOf(path: readonly (string | number)[]): string {
  return path.length === 0 ? '' : `, in "${namePath(path)}"`;
}

/** Characters of a path that a message repeats. */
const LONGEST_PATH = 200;

/** In JavaScript notation: `origins[0].name`; only the end of long paths. */
export function namePath(path: readonly (string | number)[]): string {
  const text = path.map((part, at) => (typeof part === 'number' ? `[${part}]` : at === 0 ? part : `.${part}`)).join('');
  return text.length > LONGEST_PATH ? `…${text.slice(-LONGEST_PATH)}` : text;
}
