import { readFileSync } from 'node:fs';
import { describeReadError, PlatenError } from '@platen/kernel';
import { createFlagValidator, ValidationError } from '@platen/schema';
import { STATE_PROPERTIES } from './params.js';
import type { OriginState, StateCookie, StorageState } from './state.js';

/** An error in a state and its location: `origins[0].origin`. */
export interface StateError {
  readonly path: string;
  readonly detail: string;
}

/** Checks the rules that a schema cannot express. Undefined if the state is valid. */
export function findStateError({ cookies = [], origins = [] }: StorageState): StateError | undefined {
  for (const [index, cookie] of cookies.entries()) {
    const detail = checkCookie(cookie);
    if (detail !== undefined) return { path: `cookies[${String(index)}]`, detail };
  }
  const seen = new Set<string>();
  for (const [index, state] of origins.entries()) {
    const path = `origins[${String(index)}]`;
    const origin = parseOrigin(state.origin);
    if (origin === undefined) return { path: `${path}.origin`, detail: 'must be an http or https origin such as "https://example.com"' };
    if (origin !== 'opaque' && seen.has(origin)) return { path: `${path}.origin`, detail: 'must be unique' };
    seen.add(origin);
    const error = checkDatabases(state) ?? checkCaches(state);
    if (error !== undefined) return { path: `${path}.${error.path}`, detail: error.detail };
  }
  return undefined;
}

/** The origin in the browser's spelling; `opaque` for an origin without storage; undefined if it is invalid. */
export function parseOrigin(text: string): string | undefined {
  if (text === 'null') return 'opaque';
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname, search, hash, username, password } = new URL(text);
  if (protocol !== 'http:' && protocol !== 'https:') return undefined;
  const isBare = (pathname === '/' || pathname === '') && `${search}${hash}${username}${password}` === '';
  return isBare ? origin : undefined;
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function checkCookie({ name, value, domain, url, path = '/', sameSite, secure }: StateCookie): string | undefined {
  if ([name, value, domain, url, path].some((text = '') => LONE_SURROGATE.test(text))) return 'must not contain an unpaired surrogate';
  if ((domain === undefined) === (url === undefined)) return 'must have either "domain" or "url"';
  if (domain !== undefined && (domain === '' || /[\s/:?#@\\]/.test(domain.replace(/^\[[\da-f:.]+\]$/i, '')))) {
    return 'must have a host name as its "domain"';
  }
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return 'must have an http or https "url"';
  if (!path.startsWith('/')) return 'must have a "path" that begins with a slash';
  return sameSite === 'None' && secure !== true ? 'must be "secure" if its "sameSite" is "None"' : undefined;
}

/** Rejected here because the browser would silently store another method as GET. */
function checkCaches({ cacheStorage = [] }: OriginState): StateError | undefined {
  for (const [at, { entries }] of cacheStorage.entries()) {
    const index = entries.findIndex(({ request: { method = 'GET' } }) => method.toUpperCase() !== 'GET');
    if (index >= 0) {
      return {
        path: `cacheStorage[${String(at)}].entries[${String(index)}].request.method`,
        detail: 'must be "GET": caches store only this method',
      };
    }
  }
  return undefined;
}

function checkDatabases({ indexedDB = [] }: OriginState): StateError | undefined {
  const duplicate = findDuplicate(indexedDB.map(({ name }) => name));
  if (duplicate !== undefined) return { path: `indexedDB[${String(duplicate)}].name`, detail: 'must be unique' };
  for (const [at, { stores }] of indexedDB.entries()) {
    const duplicateStore = findDuplicate(stores.map(({ name }) => name));
    if (duplicateStore !== undefined)
      return { path: `indexedDB[${String(at)}].stores[${String(duplicateStore)}].name`, detail: 'must be unique' };
    for (const [number, { keyPath, keyPathArray, indexes = [] }] of stores.entries()) {
      const path = `indexedDB[${String(at)}].stores[${String(number)}]`;
      if (keyPath !== undefined && keyPathArray !== undefined) return { path, detail: 'must not have both "keyPath" and "keyPathArray"' };
      const index = indexes.findIndex((one) => (one.keyPath === undefined) === (one.keyPathArray === undefined));
      if (index >= 0) return { path: `${path}.indexes[${String(index)}]`, detail: 'must have either "keyPath" or "keyPathArray"' };
    }
  }
  return undefined;
}

/** The index of the first duplicate name. */
function findDuplicate(names: readonly string[]): number | undefined {
  const index = names.findIndex((name, at) => names.indexOf(name) < at);
  return index < 0 ? undefined : index;
}

/** Reads the server's default storage from the file of `--storage`. Throws `boot_invalid_flag`, which never quotes the file. */
export function loadDefault(path: string): StorageState {
  const state = validate(parse(read(path)));
  const error = findStateError(state);
  if (error !== undefined) throw invalid(`"storage.${error.path}" ${error.detail}`);
  return state;
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw invalid(`the file ${JSON.stringify(path)} cannot be read: ${describeReadError(error)}`);
  }
}

/** The parser's own message would quote the file. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    throw invalid('the file is not JSON');
  }
}

function validate(value: unknown): StorageState {
  try {
    const { storage } = createFlagValidator({ storage: { type: 'object', properties: STATE_PROPERTIES } })({ storage: value });
    return storage ?? {};
  } catch (error) {
    if (error instanceof ValidationError) throw invalid(error.message);
    throw error;
  }
}

function invalid(detail: string): PlatenError {
  return new PlatenError('boot_invalid_flag', `--storage: ${detail}`);
}
