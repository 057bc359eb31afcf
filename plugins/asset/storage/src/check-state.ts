import type { OriginState, StateCookie, StorageState } from './state.js';

/** An error in a state and its location: `origins[0].origin`. */
export interface Fault {
  readonly path: string;
  readonly detail: string;
}

/** Checks the rules that a schema cannot express. Undefined if the state is valid. */
export function findFault({ cookies = [], origins = [] }: StorageState): Fault | undefined {
  for (const [index, cookie] of cookies.entries()) {
    const detail = faultOfCookie(cookie);
    if (detail !== undefined) return { path: `cookies[${String(index)}]`, detail };
  }
  const seen = new Set<string>();
  for (const [index, state] of origins.entries()) {
    const path = `origins[${String(index)}]`;
    const origin = parseOrigin(state.origin);
    if (origin === undefined) return { path: `${path}.origin`, detail: 'must be an http or https origin such as "https://example.com"' };
    if (origin !== 'opaque' && seen.has(origin)) return { path: `${path}.origin`, detail: 'must not be there twice' };
    seen.add(origin);
    const fault = faultOfDatabases(state) ?? faultOfCaches(state);
    if (fault !== undefined) return { path: `${path}.${fault.path}`, detail: fault.detail };
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

function faultOfCookie({ name, value, domain, url, path = '/', sameSite, secure }: StateCookie): string | undefined {
  if ([name, value, domain, url, path].some((text = '') => LONE_SURROGATE.test(text))) return 'must not hold half a surrogate pair';
  if ((domain === undefined) === (url === undefined)) return 'must have either "domain" or "url"';
  if (domain !== undefined && (domain === '' || /[\s/:?#@\\]/.test(domain.replace(/^\[[\da-f:.]+\]$/i, '')))) {
    return 'must have a host name as its "domain"';
  }
  if (url !== undefined && !/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : '')) return 'must have an http or https "url"';
  if (!path.startsWith('/')) return 'must have a "path" that begins with a slash';
  return sameSite === 'None' && secure !== true ? 'must be "secure" where its "sameSite" is "None"' : undefined;
}

/** Rejected here because the browser would silently store another method as GET. */
function faultOfCaches({ cacheStorage = [] }: OriginState): Fault | undefined {
  for (const [at, { entries }] of cacheStorage.entries()) {
    const index = entries.findIndex(({ request: { method = 'GET' } }) => method.toUpperCase() !== 'GET');
    if (index >= 0) {
      return {
        path: `cacheStorage[${String(at)}].entries[${String(index)}].request.method`,
        detail: 'must be "GET": a cache keeps nothing else',
      };
    }
  }
  return undefined;
}

function faultOfDatabases({ indexedDB = [] }: OriginState): Fault | undefined {
  const twice = findTwice(indexedDB.map(({ name }) => name));
  if (twice !== undefined) return { path: `indexedDB[${String(twice)}].name`, detail: 'must not be there twice' };
  for (const [at, { stores }] of indexedDB.entries()) {
    const double = findTwice(stores.map(({ name }) => name));
    if (double !== undefined) return { path: `indexedDB[${String(at)}].stores[${String(double)}].name`, detail: 'must not be there twice' };
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
function findTwice(names: readonly string[]): number | undefined {
  const index = names.findIndex((name, at) => names.indexOf(name) < at);
  return index < 0 ? undefined : index;
}
