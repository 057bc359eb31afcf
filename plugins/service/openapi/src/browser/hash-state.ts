import type { Field } from './api.js';
import { DECIMAL } from './controls.js';
import { showValue, type Json } from './read-json.js';

/**
 * The request in the fragment of the page's URL, so that it can be bookmarked and shared. Parameters that only a body can have
 * (credentials, files) are omitted.
 */
export function toHash(params: Json, fields: readonly Field[]): string {
  const inUrl = new Set(fields.filter(({ inQuery }) => inQuery).map(({ key }) => key));
  const pairs = Object.entries(params)
    .filter(([key]) => inUrl.has(key))
    .flatMap(([key, value]) => [value].flat().map((item) => [key, showValue(item)]));
  return new URLSearchParams(pairs).toString();
}

/** The content of the URL fragment. */
export interface HashState {
  /** Known parameters. */
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
  // As allowed in a query string.
  if (types.join() === 'boolean' && /^[01]$/.test(text)) return text === '1';
  if (item !== undefined ? item['type'] === 'string' : types.join() === 'string') return text;
  try {
    const value: unknown = JSON.parse(text);
    // Numbers in a query string are decimal: text that the server would refuse is shown unchanged.
    return typeof value === 'number' && !DECIMAL.test(text) ? text : value;
  } catch {
    return text;
  }
}
