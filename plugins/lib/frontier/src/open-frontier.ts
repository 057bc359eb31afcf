import type { Claim, Failure, Frontier, FrontierCounts, Offer } from './frontier.js';
import { HostSchedule } from './host-schedule.js';
import {
  ARCHIVED,
  CHECKPOINT,
  COUNTS,
  DELAYED,
  keyOfUrl,
  parseQueueKey,
  placeOf,
  QUEUED,
  queueKey,
  rangeAfter,
  retryKey,
  seenKey,
  timeOfRetry,
} from './keys.js';
import { FrontierError, openStore, toFrontierError, type Store } from './open-store.js';

export interface FrontierOptions {
  /** Created if missing. Only one process can use it. */
  readonly folder: string;
  /** Least milliseconds between two claims of any one host. */
  readonly delayMs: number;
  /** False: for a queue that no later process opens; each call then takes less time. Default: true. */
  readonly durable?: boolean;
  /** URLs with the same key are one. */
  readonly keyOf?: (url: string) => string;
}

/** The value of a queued URL. */
type Queued = Omit<Claim, 'id'>;

type Operation = { readonly type: 'put'; readonly key: string; readonly value: string } | { readonly type: 'del'; readonly key: string };

interface StoredCounts {
  /** The last number given to a place in the queue. */
  readonly sequence: number;
  /** Queued and claimed. */
  readonly open: number;
  readonly done: number;
  readonly failed: number;
}

/** Offers that are written at a time: a larger call needs no more memory. */
const BATCH = 1000;

/**
 * Opens the frontier of a folder, or creates it. URLs that were claimed and not finished are queued again.
 *
 * @throws FrontierError if the folder holds anything else, is corrupt, or is in use by another process.
 */
export async function openFrontier({ folder, delayMs, durable: sync = true, keyOf = keyOfUrl }: FrontierOptions): Promise<Frontier> {
  const store = await openStore(folder);
  const frontier = new DiskFrontier(store, new HostSchedule(delayMs), { keyOf, sync });
  try {
    await frontier.load();
  } catch (error) {
    await store.close();
    throw toFrontierError(error);
  }
  return frontier;
}

interface StoreRules {
  readonly keyOf: (url: string) => string;
  readonly sync: boolean;
}

class DiskFrontier implements Frontier {
  readonly #store: Store;
  readonly #schedule: HostSchedule;
  readonly #keyOf: StoreRules['keyOf'];
  readonly #sync: boolean;
  readonly #claimed = new Set<string>();
  #counts: StoredCounts = { sequence: 0, open: 0, done: 0, failed: 0 };
  #checkpoint: string | undefined;
  /** When the first of those put back is due. */
  #retryAt = Infinity;
  #last: Promise<unknown> = Promise.resolve();

  constructor(store: Store, schedule: HostSchedule, { keyOf, sync }: StoreRules) {
    this.#store = store;
    this.#schedule = schedule;
    this.#keyOf = keyOf;
    this.#sync = sync;
  }

  get counts(): FrontierCounts {
    const { open, done, failed } = this.#counts;
    return { queued: open - this.#claimed.size, claimed: this.#claimed.size, done, failed };
  }

  get checkpoint(): string | undefined {
    return this.#checkpoint;
  }

  /** Reads the state of an earlier process. */
  async load(): Promise<void> {
    const stored = await this.#store.get(COUNTS);
    // Written by `commit`.
    if (stored !== undefined) this.#counts = JSON.parse(stored) as StoredCounts;
    this.#checkpoint = await this.#store.get(CHECKPOINT);
    let open = 0;
    for await (const key of this.#store.keys(QUEUED)) {
      const { host, place } = parseQueueKey(key);
      this.#schedule.add(host, place);
      open += 1;
    }
    for await (const key of this.#store.keys(DELAYED)) {
      this.#retryAt = Math.min(this.#retryAt, timeOfRetry(key));
      open += 1;
    }
    const { open: expected } = this.#counts;
    if (open !== expected) throw new FrontierError(`the frontier is corrupt: it holds ${open} URLs instead of ${expected}`);
  }

  offer(offers: readonly Offer[]): Promise<number> {
    return this.#inTurn(async () => {
      let added = 0;
      for (let at = 0; at < offers.length; at += BATCH) added += await this.#offerBatch(offers.slice(at, at + BATCH));
      return added;
    });
  }

  async #offerBatch(offers: readonly Offer[]): Promise<number> {
    const unique = new Map<string, Offer>();
    for (const offer of offers) {
      const key = seenKey(this.#keyOf(offer.url));
      if (!unique.has(key)) unique.set(key, offer);
    }
    const seen = await this.#store.hasMany([...unique.keys()]);
    const fresh = [...unique].filter((_, index) => seen[index] !== true);
    if (fresh.length === 0) return 0;
    const marks = fresh.map(([key]): Operation => ({ type: 'put', key, value: '' }));
    const queued = fresh.map(([, offer]): Queued => ({ ...offer, tries: 0 }));
    await this.#enqueue(queued, marks, { open: this.#counts.open + fresh.length });
    return fresh.length;
  }

  claim(now: number, most = Infinity): Promise<Claim | number | undefined> {
    return this.#inTurn(async () => {
      const { claimed, done, failed } = this.counts;
      if (claimed + done + failed >= most) return undefined;
      while (this.#retryAt <= now) await this.#requeue(now);
      const next = this.#schedule.next(now);
      if (next === undefined) return this.counts.queued === 0 ? undefined : Math.min(this.#schedule.nextAt(), this.#retryAt) - now;
      const { host, place } = next;
      const id = queueKey(host, place);
      const value = await this.#store.get(id);
      if (value === undefined) throw new FrontierError('the frontier is corrupt: a queued URL is missing');
      const following = await this.#placeAfter(host, place);
      this.#claimed.add(id);
      this.#schedule.take(host, now, following);
      // Written by `enqueue`.
      return { ...(JSON.parse(value) as Queued), id };
    });
  }

  /** The host's next place that is not claimed. */
  async #placeAfter(host: string, place: string): Promise<string | undefined> {
    for await (const key of this.#store.keys({ ...rangeAfter(host, place), limit: this.#claimed.size + 1 }))
      if (!this.#claimed.has(key)) return parseQueueKey(key).place;
    return undefined;
  }

  done(claim: Claim, checkpoint?: string): Promise<void> {
    return this.#settle(claim, () => this.#drop(claim.id, { done: this.#counts.done + 1 }, checkpoint));
  }

  archive(urls: readonly string[], checkpoint?: string): Promise<void> {
    const marks = urls.map((url): Operation => ({ type: 'put', key: seenKey(this.#keyOf(url)), value: ARCHIVED }));
    return this.#inTurn(() => this.#commit(marks, {}, checkpoint));
  }

  async isArchived(url: string): Promise<boolean> {
    return (await this.#store.get(seenKey(this.#keyOf(url)))) === ARCHIVED;
  }

  fail(claim: Claim, { after, checkpoint }: Failure = {}): Promise<void> {
    return this.#settle(claim, async ({ id, ...queued }) => {
      if (after === undefined) return this.#drop(id, { failed: this.#counts.failed + 1 }, checkpoint);
      const sequence = this.#counts.sequence + 1;
      const key = retryKey(after, sequence);
      const value = JSON.stringify({ ...queued, tries: queued.tries + 1 } satisfies Queued);
      await this.#commit(
        [
          { type: 'del', key: id },
          { type: 'put', key, value },
        ],
        { sequence },
        checkpoint,
      );
      this.#retryAt = Math.min(this.#retryAt, timeOfRetry(key));
    });
  }

  #settle(claim: Claim, settle: (claim: Claim) => Promise<void>): Promise<void> {
    return this.#inTurn(async () => {
      if (!this.#claimed.has(claim.id)) throw new Error('this URL is not claimed');
      await settle(claim);
      this.#claimed.delete(claim.id);
    });
  }

  #drop(id: string, change: Partial<StoredCounts>, checkpoint: string | undefined): Promise<void> {
    return this.#commit([{ type: 'del', key: id }], { ...change, open: this.#counts.open - 1 }, checkpoint);
  }

  /** Moves those that were put back and are due into the queue. */
  async #requeue(now: number): Promise<void> {
    const due = await this.#store.iterator({ ...DELAYED, lt: retryKey(Math.floor(now) + 1, 0), limit: BATCH }).all();
    const removals = due.map(([key]): Operation => ({ type: 'del', key }));
    // Written by `fail`.
    const queued = due.map(([, value]) => JSON.parse(value) as Queued);
    await this.#enqueue(queued, removals, {});
    const [first] = await this.#store.keys({ ...DELAYED, limit: 1 }).all();
    this.#retryAt = first === undefined ? Infinity : timeOfRetry(first);
  }

  async #enqueue(queued: readonly Queued[], others: readonly Operation[], change: Partial<StoredCounts>): Promise<void> {
    const { sequence } = this.#counts;
    const placed = queued.map(({ url, depth }, index) => ({ host: new URL(url).host, place: placeOf(depth, sequence + index + 1) }));
    const entries = placed.map(({ host, place }, index): Operation => ({
      type: 'put',
      key: queueKey(host, place),
      value: JSON.stringify(queued[index]),
    }));
    await this.#commit([...others, ...entries], { ...change, sequence: sequence + queued.length });
    for (const { host, place } of placed) this.#schedule.add(host, place);
  }

  async #commit(operations: readonly Operation[], change: Partial<StoredCounts>, checkpoint = this.#checkpoint): Promise<void> {
    const counts = { ...this.#counts, ...change };
    const all: Operation[] = [...operations, { type: 'put', key: COUNTS, value: JSON.stringify(counts) }];
    if (checkpoint !== undefined) all.push({ type: 'put', key: CHECKPOINT, value: checkpoint });
    await this.#store.batch(all, { sync: this.#sync });
    this.#counts = counts;
    this.#checkpoint = checkpoint;
  }

  setDelay(host: string, ms: number): void {
    this.#schedule.setDelay(host, ms);
  }

  asked(host: string, at: number): void {
    this.#schedule.asked(host, at);
  }

  pause(host: string, until: number): void {
    this.#schedule.pause(host, until);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#last.then(work);
    this.#last = result.catch(() => undefined);
    return result;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#inTurn(() => this.#store.close());
  }
}
