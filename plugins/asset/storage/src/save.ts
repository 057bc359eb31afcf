import { Readable } from 'node:stream';
import { type Asset, PlatenError, type RenderContext } from '@platen/kernel';
import { openBlankDocuments } from './blank-documents.js';
import { parseOrigin } from './check-state.js';
import { readCookies } from './cookies.js';
import type { Kind } from './in-page/read-items.js';
import { createPendingItems, KINDS, type PendingItems } from './pending-items.js';
import type { OriginState, StorageState } from './state.js';
import { createStorageFile, type StorageFile } from './storage-file.js';
import { openStorageWorld, type StorageWorld } from './storage-world.js';
import { findLiveFrames, type LiveFrame, type VisitedOrigins } from './visited-origins.js';

/** Limited because the text is sent in a header. */
const MAX_LISTED = 8;

/** Time limit for reading. The remaining items are omitted, since the client waits for the output. */
const SAVE_MS = 20_000;
/** The share of the remaining render time for reading: an incomplete storage is better than none. */
const SHARE = 0.6;
const CALL_MS = 10_000;
/** A page that takes longer to respond is in an endless loop. */
const RESPONSE_MS = 3000;

export interface SaveOptions {
  /** The initial state of the render. */
  readonly start: StorageState | undefined;
  readonly visited: VisitedOrigins;
  /** In bytes. */
  readonly limit: number;
}

type SaveContext = Pick<RenderContext, 'page' | 'intercept' | 'log' | 'plan' | 'deadlineAt'>;

/** The storage of one origin, read from a page or from the initial state. `read` returns the next lines of a kind, and none at its end. */
interface Source {
  readonly origin: string;
  read(kind: Kind, room: number): Promise<readonly string[]>;
}

/** The buffered items and the time limit. */
interface Saving {
  readonly pending: PendingItems;
  readonly omitted: OmittedItems;
  readonly until: number;
}

/**
 * Saves the state at the end of the render. Origins without a remaining document are opened again in the page, which is no longer needed.
 */
export async function saveStorage(context: SaveContext, { start, visited, limit }: SaveOptions): Promise<Asset> {
  const { page, log, deadlineAt } = context;
  const left = deadlineAt - performance.now();
  // No time left means that the render has failed; its assets have a separate time limit.
  const until = performance.now() + Math.min(SAVE_MS, left > 0 ? left * SHARE : Infinity);
  await wake(context);
  const file = openFile(limit);
  for (const cookie of await readCookies(page)) file.addCookie(cookie);
  const omitted = createOmittedItems();
  const saving = { pending: createPendingItems(file.room), omitted, until };
  const sources = await openLiveSources(context, await findLiveFrames(page), saving);
  const known = new Set([...sources.map(({ origin }) => origin), ...visited.all].map(parseOrigin));
  sources.push(...untouchedSources(start, known));
  for (const kind of KINDS) for (const source of sources) await readKind(context, { ...saving, source, kind });
  const gone = visited.all.filter((origin) => !sources.some((source) => source.origin === origin));
  await readGone(context, gone, saving);
  for (const [line, place] of saving.pending.inOrder()) file.addLine(line, place);
  const omittedCount = file.omittedCount + saving.pending.omittedCount;
  if (omittedCount > 0) log.info({ items: omittedCount, limit }, 'items of the storage are omitted: they would exceed storage_limit');
  const incomplete = omitted.describe(omittedCount);
  return {
    name: 'storage',
    contentType: 'application/json',
    extension: 'storage.json',
    ...(incomplete === undefined ? {} : { incomplete }),
    body: () => Readable.from(file.pieces(), { objectMode: false }),
  };
}

/** Terminates a busy script of the page. Throws if another script blocks the page again. */
async function wake({ page, plan }: SaveContext): Promise<void> {
  const limit = { timeoutMs: RESPONSE_MS };
  const responds = () =>
    page.send('Runtime.evaluate', { expression: '0' }, limit).then(
      () => true,
      () => false,
    );
  if (await responds()) return;
  // A capture still in progress must not be disturbed.
  if (plan.capture.streaming !== true) {
    await page.send('Runtime.terminateExecution', undefined, limit).catch(() => undefined);
    if (await responds()) return;
  }
  throw new PlatenError('render_timeout', 'the page does not respond');
}

/** A call may never return, for example if a transaction of the page locks the store. */
function callTime({ until }: Saving): number {
  return Math.max(1, Math.min(CALL_MS, until - performance.now()));
}

function openFile(limit: number): StorageFile {
  try {
    return createStorageFile(limit);
  } catch (cause) {
    throw new PlatenError('payload_too_large', `"storage_limit" is too small for any storage file: ${String(limit)} bytes`, { cause });
  }
}

async function openLiveSources({ log }: SaveContext, frames: readonly LiveFrame[], saving: Saving): Promise<Source[]> {
  const sources: Source[] = [];
  for (const { session, frameId, origin, primary } of frames) {
    try {
      const world = await openStorageWorld(session, { frameId, timeoutMs: () => callTime(saving) });
      // The sessionStorage of a popup differs from that of the captured page.
      sources.push({
        origin,
        read: (kind, room) => (kind === 'sessionStorage' && !primary ? Promise.resolve([]) : world.read(kind, room)),
      });
    } catch (error) {
      log.debug({ err: error, origin }, 'a frame was removed or does not respond: its storage is read from an empty document');
    }
  }
  return sources;
}

/** The initial items of origins that the render did not visit. */
function untouchedSources({ origins = [] }: StorageState = {}, known: ReadonlySet<string | undefined>): readonly Source[] {
  return origins.flatMap((state) => {
    const origin = parseOrigin(state.origin) ?? 'opaque';
    if (origin === 'opaque' || known.has(origin)) return [];
    const ended = new Set<Kind>();
    return [
      {
        origin,
        read(kind: Kind) {
          if (ended.has(kind)) return Promise.resolve([]);
          ended.add(kind);
          return Promise.resolve([...linesOf(state, kind)]);
        },
      },
    ];
  });
}

/** The lines that a page would return for this state. */
function* linesOf(state: OriginState, kind: Kind): Generator<string> {
  if (kind === 'localStorage' || kind === 'sessionStorage') for (const item of state[kind] ?? []) yield `I ${JSON.stringify(item)}`;
  else if (kind === 'indexedDB') {
    for (const { stores, ...database } of state.indexedDB ?? []) {
      yield `D ${JSON.stringify(database)}`;
      for (const { records = [], autoIncrement = false, indexes = [], ...store } of stores) {
        const whole = indexes.map(({ unique = false, multiEntry = false, ...index }) => ({ ...index, unique, multiEntry }));
        yield `S ${JSON.stringify({ ...store, autoIncrement, indexes: whole })}`;
        for (const record of records) yield `R ${JSON.stringify(record)}`;
      }
    }
  } else {
    for (const { entries, ...cache } of state.cacheStorage ?? []) {
      yield `C ${JSON.stringify(cache)}`;
      for (const entry of entries) yield `E ${JSON.stringify(entry)}`;
    }
  }
}

async function readKind(
  { log }: SaveContext,
  { source, kind, pending, omitted, until }: Saving & { readonly source: Source; readonly kind: Kind },
): Promise<void> {
  const { origin } = source;
  try {
    for (;;) {
      if (performance.now() > until) throw new Error('the time limit was reached');
      const lines = await source.read(kind, pending.room(kind));
      if (lines.length === 0) return;
      for (const line of lines) {
        if (line.startsWith('N')) {
          log.warn({ origin, reason: line.slice(2) }, 'a part of the storage cannot be stored');
          omitted.unstorable(origin, line.slice(2));
        } else pending.add(line, { origin, kind });
      }
    }
  } catch (error) {
    log.warn({ err: error, origin, kind }, 'a part of the storage could not be read');
    omitted.unread(origin, kind);
  }
}

/** A streaming capture still uses the page, so origins that would require a navigation are skipped. */
async function readGone(context: SaveContext, gone: readonly string[], saving: Saving): Promise<void> {
  const { page, intercept, log, plan } = context;
  if (gone.length === 0) return;
  if (plan.capture.streaming === true) {
    log.warn({ origins: gone }, 'the storage of origins that the page has left is missing: the page is still being captured');
    for (const origin of gone) saving.omitted.unread(origin);
    return;
  }
  // A service worker of the origin would respond in place of the blank document.
  await page.send('Network.setBypassServiceWorker', { bypass: true });
  const blank = openBlankDocuments(page, intercept);
  for (const origin of gone) {
    if (performance.now() > saving.until || !(await blank.open(origin))) {
      log.warn({ origin }, 'the storage of an origin could not be read');
      saving.omitted.unread(origin);
      continue;
    }
    const world: StorageWorld = await openStorageWorld(page, { frameId: page.mainFrameId, timeoutMs: () => callTime(saving) });
    for (const kind of KINDS) await readKind(context, { ...saving, source: { origin, read: world.read }, kind });
  }
}

/** Reports missing parts of a storage file and the reasons to the client: origins, kinds and counts, but neither names nor values. */
interface OmittedItems {
  /** Items of this kind, or of all kinds, may not have been read. */
  unread(origin: string, kind?: Kind): void;
  /** `what`: the description from an `N` line, in JSON. */
  unstorable(origin: string, what: string): void;
  /** `omittedCount`: the number of items omitted because of the limit. Returns undefined if nothing is missing. */
  describe(omittedCount: number): string | undefined;
}

export function createOmittedItems(): OmittedItems {
  const counts = new Map<string, number>();
  const add = (text: string) => void counts.set(text, (counts.get(text) ?? 0) + 1);
  return {
    unread(origin, kind) {
      add(`${kind ?? 'the storage'} of ${origin} could not be read completely`);
    },
    unstorable(origin, what) {
      add(`${origin}: ${String(JSON.parse(what))} cannot be stored`);
    },
    describe(omittedCount) {
      const listed = [...counts].map(([text, count]) => (count === 1 ? text : `${text} (${String(count)} times)`));
      const more = listed.length - MAX_LISTED;
      const all = [
        ...(omittedCount === 0 ? [] : [`items omitted for storage_limit: ${String(omittedCount)}`]),
        ...listed.slice(0, MAX_LISTED),
        ...(more > 0 ? [`${String(more)} more`] : []),
      ];
      return all.length === 0 ? undefined : all.join('; ');
    },
  };
}
