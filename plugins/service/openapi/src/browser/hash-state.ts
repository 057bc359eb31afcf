import type { Field } from './api.js';
import { DECIMAL } from './controls.js';
import { showValue, type Json } from './read-json.js';

/**
 * The request as the page's address keeps it, so that it can be kept and passed on. What only a body may have (credentials, files) is
 * left out.
 */
export function toHash(params: Json, fields: readonly Field[]): string {
  const kept = new Set(fields.filter(({ inQuery }) => inQuery).map(({ key }) => key));
  const pairs = Object.entries(params)
    .filter(([key]) => kept.has(key))
    .flatMap(([key, value]) => [value].flat().map((item) => [key, showValue(item)]));
  return new URLSearchParams(pairs).toString();
}

/** What an address keeps. */
export interface HashState {
  /** Of keys that there are. */
  readonly params: Json;
  readonly unknown: readonly string[];
}

export function fromHash(hash: string, fields: readonly Field[]): HashState {
  const given = new URLSearchParams(hash.replace(/^[#?]/, ''));
  const known = new Set(fields.map(({ key }) => key));
  const params = fields
    .filter(({ key }) => given.has(key))
    .map((field) => {
      const values = given.getAll(field.key).map((text) => toValue(text, field));
      return [field.key, field.item === undefined && values.length === 1 ? values[0] : values] as const;
    });
  return { params: Object.fromEntries(params), unknown: [...new Set(given.keys())].filter((key) => !known.has(key)) };
}

function toValue(text: string, { types, item }: Field): unknown {
  // As a query string may say it.
  if (types.join() === 'boolean' && /^[01]$/.test(text)) return text === '1';
  if (item !== undefined ? item['type'] === 'string' : types.join() === 'string') return text;
  try {
    const value: unknown = JSON.parse(text);
    // A query string's numbers are decimal: what the server would refuse is shown as what it is.
    return typeof value === 'number' && !DECIMAL.test(text) ? text : value;
  } catch {
    return text;
  }
}
