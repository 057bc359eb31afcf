import { isPlatenError, type Logger, NO_ASSETS, type Output, type RenderPlan, type ServerApi, type StoredAsset } from '@platen/kernel';
import type { InterceptableRender, Preconditions, RenderResponse, ResultStore, StoredResult, StoredValidators } from '@platen/server';
import { forwarded, hitHeaders, missHeaders, validators, type Forward } from './answer-headers.js';
import { isCacheable } from './cacheable.js';
import { toEntryKey, type CacheGeneration } from './fingerprint.js';
import { isFresh } from './freshness.js';
import { createInFlightRenders, type InFlightRenders, type Place, type SharedResponseRender } from './in-flight-renders.js';
import { startRequestDeadline, type RequestDeadline } from './request-deadline.js';

/** Serves renders from the store and stores rendered results. */
export interface Cache {
  /** Undefined for endpoints without caching. */
  answer(call: InterceptableRender): Promise<RenderResponse | undefined>;
  /** Purges the result of a plan, or all results, unless the preconditions throw. Resolves with whether anything was cached. */
  purge(plan: RenderPlan | undefined, preconditions?: Preconditions): Promise<boolean>;
  /** Resolves once all pending results are stored. */
  close(): Promise<void>;
}

export interface CacheParts {
  readonly store: ResultStore;
  readonly assets: ServerApi['assets'];
  readonly log: Logger;
  readonly ttlMs: number;
  readonly maxBytes: number;
  /** The keys of the request schema. */
  readonly keys: ServerApi['kernel']['schema']['keys'];
  /** The current generation. */
  generation(): CacheGeneration;
}

/** Endpoints with caching; POST always renders. Other entry points, such as the command line, are not cached. */
const CACHED_ENDPOINTS: ReadonlySet<string> = new Set(['GET /', 'HEAD /', 'POST /']);
const ALWAYS_RENDERS = 'POST /';

export function createCache(parts: CacheParts): Cache {
  const { store } = parts;
  const inFlight = createInFlightRenders(parts);
  return {
    async answer(call) {
      if (!CACHED_ENDPOINTS.has(call.endpoint)) return undefined;
      if (!isCacheable(call.plan, parts.keys)) {
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
      preconditions?.(await describeStored(key, parts, inFlight));
      const hadResponse = inFlight.forget(key);
      return (key === undefined ? await store.clear() : await store.remove(key)) || hadResponse;
    },
    async close() {
      await inFlight.settled();
      await store.close();
    },
  };
}

/** The validators of the response that a request for the key would get now. Without a key: empty validators if anything is cached. */
async function describeStored(
  key: string | undefined,
  parts: CacheParts,
  inFlight: InFlightRenders,
): Promise<StoredValidators | undefined> {
  if (key === undefined) return parts.store.entries > 0 ? {} : undefined;
  const rendered = inFlight.get(key)?.response?.record();
  const stored = rendered === undefined ? await findFresh(key, parts) : undefined;
  if (stored !== undefined && stored !== 'stale') await stored.close();
  const record = rendered ?? (stored === 'stale' ? undefined : stored?.record);
  if (record === undefined) return undefined;
  const { ETag: etag, 'Last-Modified': lastModified } = validators(record);
  return { etag, lastModified };
}

/** A store that fails costs the cache, not the response. */
async function findFresh(key: string, { store, ttlMs, log }: CacheParts): Promise<StoredResult | 'stale' | undefined> {
  try {
    const stored = await store.find(key);
    if (stored === undefined || isFresh(stored.record, ttlMs)) return stored;
    await stored.close();
    return 'stale';
  } catch (error) {
    log.warn({ err: error }, 'the cache could not be read');
    return undefined;
  }
}

/** The place for the result of a render that starts now; not current any more if the generation changes before it is stored. */
function placeOf({ cacheKey }: RenderPlan, { generation }: Pick<CacheParts, 'generation'>): Place {
  const present = generation();
  return { key: toEntryKey(cacheKey, present.fingerprint), isCurrent: () => generation() === present };
}

/** Joins a render in flight, else reads the store, else starts a render that others can join. */
async function answerAnyhow(call: InterceptableRender, parts: CacheParts, inFlight: InFlightRenders): Promise<RenderResponse> {
  const time = startRequestDeadline(call.plan);
  for (;;) {
    const place = placeOf(call.plan, parts);
    const { key } = place;
    const joined = await tryToJoin(call, inFlight.get(key), { ...parts, time });
    if (joined !== undefined) return joined;
    const stored = await findFresh(key, parts);
    if (stored !== undefined && stored !== 'stale') {
      const hit = await answerByEntry(stored, parts);
      if (hit !== undefined) return hit;
    }
    // Another request may have started a render meanwhile, or the generation may have changed.
    if (inFlight.get(key)?.isOpen === true || !place.isCurrent()) continue;
    return await answerByRender(call, inFlight.begin(call, place), { ...parts, time, forward: stored === 'stale' ? 'stale' : 'uri-miss' });
  }
}

/** Undefined if there is no render to join, or if it failed because of the `Accept` header or the timeout of its first client. */
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
  const whole = shared.response?.record();
  call.reportCacheStatus('miss');
  call.header('Cache-Status', forwarded(forward));
  const { response, leave } = await time.join(shared, call.signal);
  const { result } = response;
  const body = response.open(call.signal);
  if (Buffer.isBuffer(body)) leave();
  else body.once('close', leave);
  // A result that was complete before this request arrived is a hit, even if it is still being written to the store.
  const isHit = isJoined && whole !== undefined;
  const record = response.record();
  const headers = isHit ? hitHeaders(whole, ttlMs) : missHeaders(record, { ttlMs, forward, isKept: response.isKept, isShared: isJoined });
  return {
    ...result,
    output: { ...result.output, body, ...(whole === undefined ? {} : { length: whole.bytes }) },
    headers: { ...result.headers, ...headers },
    // The timings belong to the request that started the render.
    ...(isJoined ? { timings: {} } : {}),
    cache: isHit ? 'hit' : 'miss',
  };
}

/** Undefined if one of its assets has expired. */
async function answerByEntry(stored: StoredResult, { assets, ttlMs }: CacheParts): Promise<RenderResponse | undefined> {
  const { record } = stored;
  const { contentType, extension, filename, headers, bytes } = record;
  const found = record.assets.length === 0 ? [] : await findAssets(record.assets, assets).catch(() => undefined);
  if (found === undefined) {
    await stored.close();
    return undefined;
  }
  const output: Output = { contentType, extension, body: stored.open(), length: bytes, ...(filename === undefined ? {} : { filename }) };
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
