import { invalidParameter, isPlatenError, type Outbound, OutboundError } from '@platen/kernel';
import { isObject } from '@platen/lib-models';
import type { NavigateParams } from './params.js';

const MAX_BYTES = 1024 * 1024;
const FETCH_MS = 30_000;
const MAX_DEPTH = 20;
/** Characters of a name with everything above it. */
const MAX_NAME = 1_000;

/**
 * The named values of `navigator_data_json` and, over them, of `navigator_data`. Fetches the items that are URLs.
 * @throws PlatenError `invalid_parameters` that names the item
 */
export async function readData(
  { navigator_data_json: items = [], navigator_data: given = {} }: NavigateParams,
  { outbound, signal }: { readonly outbound: Pick<Outbound, 'fetch'>; readonly signal: AbortSignal },
): Promise<ReadonlyMap<string, string>> {
  const root: Branch = new Map();
  for (const [index, item] of items.entries()) {
    const value = typeof item === 'string' ? await fetchItem(item, index, { outbound, signal }) : item;
    if (!isObject(value)) throw refuse(index, 'is not a JSON object');
    try {
      apply(root, value, { prefix: '', depth: 0 });
    } catch (error) {
      throw error instanceof RangeError ? refuse(index, error.message) : error;
    }
  }
  const data = new Map<string, string>();
  collect(root, '', data);
  for (const [name, value] of Object.entries(given)) data.set(name, value);
  return data;
}

async function fetchItem(
  url: string,
  index: number,
  { outbound, signal }: { readonly outbound: Pick<Outbound, 'fetch'>; readonly signal: AbortSignal },
): Promise<unknown> {
  let answer;
  try {
    answer = await outbound.fetch(url, { maxBytes: MAX_BYTES, timeoutMs: FETCH_MS, signal, headers: { accept: 'application/json' } });
  } catch (error) {
    signal.throwIfAborted();
    if (isPlatenError(error)) throw error;
    throw refuse(index, `could not be fetched: ${error instanceof OutboundError ? error.message : 'the request failed'}`);
  }
  if (answer.status !== 200) throw refuse(index, `was answered with status ${String(answer.status)}`);
  try {
    return JSON.parse(answer.body.toString('utf8'));
  } catch {
    throw refuse(index, 'is not JSON');
  }
}

function refuse(index: number, what: string): Error {
  const key = 'navigator_data_json';
  return invalidParameter(key, `"${key}[${String(index)}]" ${what}`);
}

/** Values and further names, by the next part of a name. */
type Branch = Map<string, string | Branch>;

/** Nested names are joined with dots; null removes a name, and everything below it. */
function apply(root: Branch, value: Readonly<Record<string, unknown>>, at: { readonly prefix: string; readonly depth: number }): void {
  for (const [key, inner] of Object.entries(value)) {
    const name = `${at.prefix}${key}`;
    if (name.length > MAX_NAME) throw new RangeError(`has a name of more than ${String(MAX_NAME)} characters`);
    if (inner === null) put(root, name, undefined);
    else if (typeof inner === 'object' && at.depth < MAX_DEPTH) {
      // A list has its indexes as names.
      apply(root, inner as Readonly<Record<string, unknown>>, { prefix: `${name}.`, depth: at.depth + 1 });
    } else put(root, name, typeof inner === 'string' ? inner : JSON.stringify(inner));
  }
}

/** Replaces the name and everything below it. */
function put(root: Branch, name: string, value: string | undefined): void {
  const parts = name.split('.');
  const last = parts.pop() ?? '';
  let branch = root;
  for (const part of parts) {
    let next = branch.get(part);
    if (typeof next !== 'object') branch.set(part, (next = new Map()));
    branch = next;
  }
  if (value === undefined) branch.delete(last);
  else branch.set(last, value);
}

function collect(branch: Branch, prefix: string, data: Map<string, string>): void {
  for (const [part, value] of branch) {
    if (typeof value === 'string') data.set(prefix + part, value);
    else collect(value, `${prefix}${part}.`, data);
  }
}
