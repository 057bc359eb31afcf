import type { RenderContext } from '@platen/kernel';
import { openBlankDocuments } from './blank-documents.js';
import { parseOrigin } from './check-state.js';
import { setCookies, withoutReplaced } from './cookies.js';
import type { Refusal, Written } from './in-page/write-items.js';
import type { Cached, Database, OriginState, StorageState } from './state.js';
import { openStorageWorld, type StorageWorld } from './storage-world.js';

/** Creates the error for an item that the browser rejects, from its path in the state. */
export type Refuse = (path: string, detail: string) => Error;

type RestoreContext = Pick<RenderContext, 'page' | 'intercept' | 'log' | 'setWaitReason' | 'plan'>;

/** Timeout of one call: a batch of records may be written to a slow disk. */
const CALL_MS = 30_000;
/** Size of a batch in characters of JSON; the last item may exceed it. */
const BATCH = 1_000_000;

/** Restores the state in the render's browser context before the page navigates. Throws the error that `refuse` creates. */
export async function restoreStorage(context: RestoreContext, state: StorageState, refuse: Refuse): Promise<void> {
  const { page, intercept, log, setWaitReason, plan } = context;
  const { cookies = [], origins = [] } = state;
  // The parameter of another plugin, if installed.
  const items = Array.isArray(plan.params.cookie) ? plan.params.cookie.map(String) : [];
  const target = new URL(plan.url);
  const refused = await setCookies(page, withoutReplaced(cookies, items, target), target);
  if (refused !== undefined) throw refuse(`cookies[${String(refused.index)}]`, refused.detail);
  const filled = [...origins.entries()].filter(([, origin]) => holdsAnything(origin));
  if (filled.length === 0) return;
  const blank = openBlankDocuments(page, intercept);
  for (const [index, origin] of filled) {
    const path = `origins[${String(index)}]`;
    const name = parseOrigin(origin.origin) ?? 'opaque';
    if (name === 'opaque') {
      log.info({ origin: path }, 'skipped an opaque origin: it has no storage');
      continue;
    }
    setWaitReason(`the storage of ${name} to be restored`);
    if (!(await blank.open(name))) throw refuse(path, 'is an origin that the browser does not open');
    const world = await openStorageWorld(page, { frameId: page.mainFrameId, timeoutMs: () => CALL_MS });
    await restoreOrigin(world, origin, (inner, detail) => refuse(`${path}.${inner}`, detail));
  }
  await blank.leave();
}

function holdsAnything({ localStorage = [], sessionStorage = [], indexedDB = [], cacheStorage = [] }: OriginState): boolean {
  return localStorage.length + sessionStorage.length + indexedDB.length + cacheStorage.length > 0;
}

async function restoreOrigin(world: StorageWorld, state: OriginState, refuse: Refuse): Promise<void> {
  for (const area of ['localStorage', 'sessionStorage'] as const) {
    const head = { area } satisfies Omit<Written['area'], 'items'>;
    await writeList(world, { order: 'area', head, items: state[area] ?? [], path: area, refuse });
  }
  for (const [index, database] of (state.indexedDB ?? []).entries()) {
    await restoreDatabase(world, database, (path, detail) => refuse(`indexedDB[${String(index)}].${path}`, detail));
  }
  for (const [index, cache] of (state.cacheStorage ?? []).entries()) {
    await restoreCache(world, cache, (path, detail) => refuse(`cacheStorage[${String(index)}].${path}`, detail));
  }
}

async function restoreDatabase(world: StorageWorld, { name, version, stores }: Database, refuse: Refuse): Promise<void> {
  const empty = { name, version, stores: stores.map(({ records: _records, ...store }) => store) } satisfies Written['database'];
  const refusal = await world.write('database', JSON.stringify(empty));
  if (refusal !== null) throw refuse(`stores[${String(refusal.at)}]`, because(refusal));
  for (const [index, { name: store, records = [] }] of stores.entries()) {
    const head = { database: name, store } satisfies Omit<Written['records'], 'items'>;
    await writeList(world, { order: 'records', head, items: records, path: `stores[${String(index)}].records`, refuse });
  }
}

async function restoreCache(world: StorageWorld, { name, entries }: Cached, refuse: Refuse): Promise<void> {
  const head = { cache: name } satisfies Omit<Written['cached'], 'items'>;
  // A cache without entries is restored too.
  if (entries.length === 0) await world.write('cached', JSON.stringify({ ...head, items: entries }));
  await writeList(world, { order: 'cached', head, items: entries, path: 'entries', refuse });
}

interface List {
  readonly order: keyof Written;
  readonly head: object;
  readonly items: readonly unknown[];
  readonly path: string;
  readonly refuse: Refuse;
}

/** In batches, since texts of many megabytes would block all other renders. */
async function writeList(world: StorageWorld, { order, head, items, path, refuse }: List): Promise<void> {
  const opening = JSON.stringify(head).replace(/\}$/, ',"items":[');
  let start = 0;
  let texts: string[] = [];
  let chars = 0;
  for (const [index, item] of items.entries()) {
    const text = JSON.stringify(item);
    texts.push(text);
    chars += text.length;
    if (chars < BATCH && index < items.length - 1) continue;
    const refusal = await world.write(order, `${opening}${texts.join(',')}]}`);
    if (refusal !== null) throw refuse(`${path}[${String(start + refusal.at)}]`, because(refusal));
    start = index + 1;
    texts = [];
    chars = 0;
  }
}

function because({ why }: NonNullable<Refusal>): string {
  return `is not accepted by the browser (${why})`;
}
