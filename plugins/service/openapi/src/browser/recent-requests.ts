import type { Api, Field } from './api.js';
import { toHash } from './hash-state.js';
import type { Json } from './read-json.js';

const PLACE = 'platen-requests';
const MOST = 10;
/** They may contain sessions of the target. */
const PRIVATE = new Set(['cookie', 'header']);

/** The last requests that were rendered in this browser, as fragments of the page's URL. */
export function readRecent(): readonly string[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]');
    return Array.isArray(stored) ? stored.filter((item) => typeof item === 'string') : [];
  } catch {
    return [];
  }
}

/** Stores what a link may contain, without secrets. */
export function addRecent(params: Json, { fields }: Api): void {
  const hash = toHash(withoutPassword(params), fields.filter(isStorable));
  write([hash, ...readRecent().filter((other) => other !== hash)].slice(0, MOST));
}

function isStorable({ key, isSecret }: Field): boolean {
  return !isSecret && !PRIVATE.has(key);
}

function withoutPassword(params: Json): Json {
  const { url } = params;
  if (typeof url !== 'string' || !URL.canParse(url)) return params;
  const stripped = new URL(url);
  stripped.password = '';
  return { ...params, url: stripped.href };
}

export function forgetRecent(): void {
  write([]);
}

function write(hashes: readonly string[]): void {
  try {
    localStorage.setItem(PLACE, JSON.stringify(hashes));
  } catch {
    // Storage is full or not allowed.
  }
}
