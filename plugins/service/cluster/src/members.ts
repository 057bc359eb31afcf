import { randomUUID } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { type AddressFilter, createSelfListeners, type Logger, type SelfListener, type SelfListeners, withTimeout } from '@platen/kernel';
import type { Redis } from 'ioredis';
import { PREFIX } from './queue.js';

/** A sorted set: each entry by the time at which it expires. */
const KEY = `${PREFIX}:members`;
const REFRESH_MS = 5_000;
/** A process that has not been heard of for so long is gone. */
const LIFETIME_MS = 30_000;
/** Its addresses are refused for longer: a queue that has lost its data, or a name that is not found, names none for a while. */
const REMEMBERED_MS = 600_000;
const LOOKUP_MS = 2_000;

const REASON = 'its address is one of this cluster';

/** What a process of a cluster says about itself. */
export interface Member {
  /** Name of its cluster. */
  readonly cluster: string;
  /** Jobs that it renders concurrently; 0: it is not a worker. */
  readonly capacity: number;
  readonly listeners: readonly SelfListener[];
  /** The address of a front, as workers know it. */
  readonly url?: string;
}

export interface MembersOptions {
  readonly redis: Redis;
  /** `redis://`, `http://` addresses that every process of the cluster uses, beside those of the members. */
  readonly urls: readonly string[];
  readonly log: Logger;
  self(): Member;
  /** Called after each refresh, with those of all clusters. */
  onRefresh(members: readonly Member[]): Promise<void>;
}

/** The processes of all clusters of the queue, each of which refuses connections of pages to all others and to the queue. */
export interface Members {
  readonly filterAddress: AddressFilter;
  /** Refuses the address of a front that may not be among the members yet. */
  addFront(url: string): Promise<void>;
  /** Registers this process, and reads the others. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export function createMembers({ redis, urls, log, self, onRefresh }: MembersOptions): Members {
  const id = randomUUID();
  const addresses = rememberAddresses();
  let knownUrls = new Set(urls);
  let entry = '';
  let timer: NodeJS.Timeout | undefined;
  const refresh = async () => {
    const earlier = entry;
    entry = JSON.stringify({ id, ...describeSelf(self()) });
    const now = toMs(await redis.time());
    const exchange = redis.multi().zremrangebyscore(KEY, '-inf', String(now));
    if (earlier !== entry && earlier !== '') exchange.zrem(KEY, earlier);
    const replies = await exchange
      .zadd(KEY, String(now + LIFETIME_MS), entry)
      .pexpire(KEY, LIFETIME_MS)
      .zrange(KEY, '0', '-1')
      .exec();
    const members = readMembers(replies?.at(-1)?.[1]);
    knownUrls = new Set([...urls, ...members.flatMap(({ url }) => (url === undefined ? [] : [url]))]);
    addresses.add([...members.flatMap(({ listeners }) => listeners), ...(await lookUpAll(knownUrls))]);
    await onRefresh(members);
  };
  const schedule = () => {
    timer = setTimeout(() => {
      refresh()
        .catch((error: unknown) => {
          log.debug({ err: error }, 'the members of the cluster were not read');
        })
        .finally(schedule);
    }, REFRESH_MS).unref();
  };
  return {
    filterAddress: (destination) => (addresses.filterAddress(destination) === undefined ? undefined : REASON),
    async addFront(url) {
      if (knownUrls.has(url)) return;
      knownUrls.add(url);
      addresses.add(await lookUp(url));
    },
    async refresh() {
      await refresh();
      if (timer === undefined) schedule();
    },
    async close() {
      clearTimeout(timer);
      await withTimeout(redis.zrem(KEY, entry), LOOKUP_MS).catch(() => undefined);
    },
  };
}

/** Seconds and microseconds by the clock of Redis: those of the members may differ. */
function toMs([seconds, microseconds]: readonly (number | string)[]): number {
  return Number(seconds) * 1000 + Math.floor(Number(microseconds) / 1000);
}

/** Other machines reach a listener on all addresses by each of this machine's. */
function describeSelf({ listeners, ...member }: Member): Member {
  const own = Object.values(networkInterfaces()).flatMap((each = []) => each.map(({ address }) => address));
  const spread = listeners.flatMap(({ address, port }) => {
    const isWildcard = address === '::' || address === '0.0.0.0';
    return [address, ...(isWildcard ? own : [])].map((each) => ({ address: each, port }));
  });
  return { ...member, listeners: spread };
}

function readMembers(entries: unknown): readonly Member[] {
  if (!Array.isArray(entries)) return [];
  // Only processes of the cluster write these entries: another writer of the queue could have anything rendered anyway.
  return entries.map((entry) => JSON.parse(String(entry)) as Member);
}

interface Addresses extends Pick<SelfListeners, 'filterAddress'> {
  /** Each is refused for a while from now on. */
  add(listeners: readonly SelfListener[]): void;
}

function rememberAddresses(): Addresses {
  const all = createSelfListeners();
  const known = new Map<string, { readonly listener: SelfListener; readonly seenAt: number }>();
  return {
    filterAddress: all.filterAddress,
    add(listeners) {
      const now = performance.now();
      for (const listener of listeners) {
        const key = `${listener.address} ${String(listener.port)}`;
        const before = known.get(key);
        if (before === undefined) all.add(listener);
        known.set(key, { listener: before?.listener ?? listener, seenAt: now });
      }
      for (const [key, { listener, seenAt }] of known) {
        if (now - seenAt <= REMEMBERED_MS) continue;
        all.delete(listener);
        known.delete(key);
      }
    },
  };
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443, 'redis:': 6379, 'rediss:': 6379 };

async function lookUpAll(urls: Iterable<string>): Promise<readonly SelfListener[]> {
  return (await Promise.all([...urls].map(lookUp))).flat();
}

/** The addresses of a name; a name that cannot be looked up has none now. */
async function lookUp(url: string): Promise<readonly SelfListener[]> {
  const { hostname, port, protocol } = new URL(url);
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  // An address is looked up as itself.
  const found = (await withTimeout(lookup(host, { all: true }), LOOKUP_MS).catch(() => undefined)) ?? [];
  return found.map(({ address }) => ({ address, port: port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port) }));
}
