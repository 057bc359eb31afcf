import { isPlatenError, type Logger, NO_ASSETS, type Output, type RenderPlan, type ServerApi, type StoredAsset } from '@platen/kernel';
import type { InterceptableRender, Preconditions, StoredValidators, RenderResponse } from '@platen/server';
import { forwarded, hitHeaders, missHeaders, validators, type Forward } from './answer-headers.js';
import { isCacheable } from './cacheable.js';
import type { EntryStore, StoredEntry } from './entry-store.js';
import { toEntryKey, type CacheGeneration } from './fingerprint.js';
import { createInFlightRenders, type InFlightRenders, type Place, type SharedResponseRender } from './in-flight-renders.js';
import { startRequestDeadline, type RequestDeadline } from './request-deadline.js';

/** Answers renders from what is kept, and keeps what is rendered. */
export interface Cache {
  /** Undefined where the request is none that a cache has a say in. */
  answer(call: InterceptableRender): Promise<RenderResponse | undefined>;
  /** Forgets a plan's result, or all, unless the preconditions throw; whether there was any. */
  purge(plan: RenderPlan | undefined, preconditions?: Preconditions): Promise<boolean>;
  /** Resolves once everything that is being kept is. */
  close(): Promise<void>;
}

export interface CacheParts {
  readonly store: EntryStore;
  readonly assets: ServerApi['assets'];
  readonly log: Logger;
  readonly ttlMs: number;
  readonly maxBytes: number;
  /** Of this moment. */
  generation(): CacheGeneration;
}

/** Doors whose results are kept; POST always renders. The command line and others have none of it. */
const DOORS: ReadonlySet<string> = new Set(['GET /', 'HEAD /', 'POST /']);
const ALWAYS_RENDERS = 'POST /';

export function createCache(parts: CacheParts): Cache {
  const { store } = parts;
  const inFlight = createInFlightRenders(parts);
  return {
    async answer(call) {
      if (!DOORS.has(call.endpoint)) return undefined;
      if (!isCacheable(call.plan)) {
        call.reportCacheStatus('bypass');
        call.header('Cache-Status', forwarded('bypass'));
        return { ...(await call.render(call.signal)), cache: 'bypass' };
      }
      if (call.endpoint !== ALWAYS_RENDERS) return await answerAnyhow(call, parts, inFlight);
      return await answerByRender(call, inFlight.beginAlone(call, placeOf(call.plan, parts)), {
        ...parts,
        time: startRequestDeadline(call.plan),
        forward: 'method',
      });
    },
    async purge(plan, preconditions) {
      const key = plan === undefined ? undefined : placeOf(plan, parts).key;
      preconditions?.(await describeKept(key, { store, inFlight }));
      const wasLanded = inFlight.forget(key);
      return (key === undefined ? await store.clear() : await store.remove(key)) || wasLanded;
    },
    async close() {
      await inFlight.settled();
      await store.close();
    },
  };
}

/** The validators of what a request for the key would be answered with now; without a key there are results of many. */
async function describeKept(
  key: string | undefined,
  { store, inFlight }: Pick<CacheParts, 'store'> & { readonly inFlight: InFlightRenders },
): Promise<StoredValidators | undefined> {
  if (key === undefined) return store.entries > 0 ? {} : undefined;
  const landed = inFlight.get(key)?.landed?.record();
  const kept = landed === undefined ? await store.find(key) : undefined;
  if (kept !== undefined && kept !== 'stale') await kept.close();
  const record = landed ?? (kept === 'stale' ? undefined : kept?.record);
  if (record === undefined) return undefined;
  const { ETag: etag, 'Last-Modified': lastModified } = validators(record);
  return { etag, lastModified };
}

/** Where the result of a render that begins now belongs, unless the standing is another before it is kept. */
function placeOf({ cacheKey }: RenderPlan, { generation }: Pick<CacheParts, 'generation'>): Place {
  const present = generation();
  return { key: toEntryKey(cacheKey, present.fingerprint), isCurrent: () => generation() === present };
}

/** From a render under way, else from the store, else by a render that others may join. */
async function answerAnyhow(call: InterceptableRender, parts: CacheParts, inFlight: InFlightRenders): Promise<RenderResponse> {
  const time = startRequestDeadline(call.plan);
  for (;;) {
    const place = placeOf(call.plan, parts);
    const { key } = place;
    const joined = await tryToJoin(call, inFlight.get(key), { ...parts, time });
    if (joined !== undefined) return joined;
    const kept = await parts.store.find(key);
    if (kept !== undefined && kept !== 'stale') {
      const hit = await answerByEntry(kept, parts);
      if (hit !== undefined) return hit;
    }
    // Somebody may have begun meanwhile, or the standing have changed.
    if (inFlight.get(key)?.isOpen === true || !place.isCurrent()) continue;
    return await answerByRender(call, inFlight.begin(call, place), { ...parts, time, forward: kept === 'stale' ? 'stale' : 'uri-miss' });
  }
}

/** Undefined where there is none to join, or it failed by what is its first asker's own: what that would accept, and its time. */
async function tryToJoin(
  call: InterceptableRender,
  shared: SharedResponseRender | undefined,
  parts: JoinParts,
): Promise<RenderResponse | undefined> {
  if (shared?.isOpen !== true) return undefined;
  try {
    return await answerByRender(call, shared, { ...parts, forward: 'uri-miss', isJoined: true });
  } catch (error) {
    if ((isPlatenError(error) && error.code === 'not_acceptable') || parts.time.allowsAnother(error)) return undefined;
    throw error;
  }
}

interface JoinParts extends Pick<CacheParts, 'ttlMs'> {
  readonly time: RequestDeadline;
}

interface Rendering extends JoinParts {
  readonly forward: Forward;
  readonly isJoined?: boolean;
}

async function answerByRender(
  call: InterceptableRender,
  shared: SharedResponseRender,
  { ttlMs, time, forward, isJoined = false }: Rendering,
): Promise<RenderResponse> {
  const whole = shared.landed?.record();
  call.reportCacheStatus('miss');
  call.header('Cache-Status', forwarded(forward));
  const { landed: response, leave } = await time.join(shared, call.signal);
  const { result } = response;
  const body = response.open(call.signal);
  if (Buffer.isBuffer(body)) leave();
  else body.once('close', leave);
  // What was whole before this request came is kept already, be it in the store or on the way to it.
  const isHit = isJoined && whole !== undefined;
  const record = response.record();
  const headers = isHit ? hitHeaders(whole, ttlMs) : missHeaders(record, { ttlMs, forward, isKept: response.isKept, isShared: isJoined });
  return {
    ...result,
    output: { ...result.output, body, ...(whole === undefined ? {} : { length: whole.bytes }) },
    headers: { ...result.headers, ...headers },
    // The render's times are those of the request that began it.
    ...(isJoined ? { timings: {} } : {}),
    cache: isHit ? 'hit' : 'miss',
  };
}

/** Undefined where an asset of it is gone. */
async function answerByEntry(kept: StoredEntry, { assets, ttlMs }: CacheParts): Promise<RenderResponse | undefined> {
  const { record } = kept;
  const { contentType, extension, filename, headers, bytes } = record;
  const found = record.assets.length === 0 ? [] : await findAssets(record.assets, assets);
  if (found === undefined) {
    await kept.close();
    return undefined;
  }
  const output: Output = { contentType, extension, body: kept.open(), length: bytes, ...(filename === undefined ? {} : { filename }) };
  return {
    output,
    assets: found.length === 0 ? NO_ASSETS : { kept: found, missing: [] },
    headers: { ...headers, ...hitHeaders(record, ttlMs) },
    timings: {},
    cache: 'hit',
  };
}

async function findAssets(ids: readonly string[], assets: CacheParts['assets']): Promise<readonly StoredAsset[] | undefined> {
  const found = await Promise.all(ids.map((id) => assets.find(id)));
  const published = found.flatMap((one) => (one === undefined || one === 'expired' ? [] : [one.asset]));
  return published.length === ids.length ? published : undefined;
}
