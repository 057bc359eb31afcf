interface Host {
  readonly name: string;
  /** Its lowest queued place. */
  place: string | undefined;
  takenAt: number;
  pausedUntil: number;
  /** If it differs from the others' delay. */
  delayMs: number | undefined;
  /** Of its only current entry in one of the heaps: older entries are skipped where they surface. */
  version: number;
}

interface Entry<Order extends number | string> {
  readonly order: Order;
  readonly host: Host;
  readonly version: number;
}

/** Fewer hosts are not worth a sweep. */
const SWEEP_HOSTS = 1000;

/**
 * Decides which host is asked next. It holds the first queued place of each host and not its queue: some 400 bytes a host.
 * Places are compared as text.
 */
export class HostSchedule {
  readonly #delayMs: number;
  readonly #hosts = new Map<string, Host>();
  /** By the time from which the host may be asked. */
  readonly #waiting = createHeap<Entry<number>>();
  /** Those that may be asked, by place. */
  readonly #ready = createHeap<Entry<string>>();
  #sweepHosts = SWEEP_HOSTS;

  constructor(delayMs: number) {
    this.#delayMs = delayMs;
  }

  /** A place was queued for this host. */
  add(name: string, place: string): void {
    const host = this.#find(name);
    if (host.place !== undefined && host.place <= place) return;
    host.place = place;
    this.#wait(host);
  }

  /** The lowest place of all hosts that may be asked now. */
  next(now: number): { readonly host: string; readonly place: string } | undefined {
    for (let top = this.#waiting.peek(); top !== undefined && top.order <= now; top = this.#waiting.peek()) {
      this.#waiting.pop();
      const { host, version } = top;
      if (!isStale(top) && host.place !== undefined) this.#ready.push({ order: host.place, host, version });
    }
    while (isStale(this.#ready.peek())) this.#ready.pop();
    const top = this.#ready.peek();
    return top && { host: top.host.name, place: top.order };
  }

  /** The place that `next` returned is taken; `following` is the host's next one. */
  take(name: string, now: number, following: string | undefined): void {
    const host = this.#find(name);
    host.place = following;
    host.takenAt = now;
    this.#wait(host);
    if (this.#hosts.size >= this.#sweepHosts) this.#sweep(now);
  }

  /** When the next host may be asked, if `next` returned none: epoch milliseconds, Infinity if nothing is queued. */
  nextAt(): number {
    while (isStale(this.#waiting.peek())) this.#waiting.pop();
    return this.#waiting.peek()?.order ?? Infinity;
  }

  setDelay(name: string, ms: number): void {
    const host = this.#find(name);
    if (host.delayMs === ms) return;
    host.delayMs = ms;
    this.#wait(host);
  }

  /** The host was asked without a claim. */
  asked(name: string, at: number): void {
    const host = this.#find(name);
    if (at <= host.takenAt) return;
    host.takenAt = at;
    this.#wait(host);
  }

  pause(name: string, until: number): void {
    const host = this.#find(name);
    if (until <= host.pausedUntil) return;
    host.pausedUntil = until;
    this.#wait(host);
  }

  #find(name: string): Host {
    const known = this.#hosts.get(name);
    if (known !== undefined) return known;
    const host: Host = { name, place: undefined, takenAt: -Infinity, pausedUntil: -Infinity, delayMs: undefined, version: 0 };
    this.#hosts.set(name, host);
    return host;
  }

  #readyAt(host: Host): number {
    return Math.max(host.takenAt + (host.delayMs ?? this.#delayMs), host.pausedUntil);
  }

  #wait(host: Host): void {
    host.version += 1;
    if (host.place !== undefined) this.#waiting.push({ order: this.#readyAt(host), host, version: host.version });
  }

  /** Forgets hosts about which there is nothing to remember, whenever their number has doubled. */
  #sweep(now: number): void {
    for (const host of this.#hosts.values())
      if (host.place === undefined && host.delayMs === undefined && this.#readyAt(host) <= now) this.#hosts.delete(host.name);
    this.#sweepHosts = Math.max(SWEEP_HOSTS, 2 * this.#hosts.size);
  }
}

function isStale(entry: Entry<number | string> | undefined): boolean {
  return entry !== undefined && entry.version !== entry.host.version;
}

/** A binary heap: the entry with the lowest order is at the top. */
interface Heap<T> {
  peek(): T | undefined;
  pop(): T | undefined;
  push(entry: T): void;
}

function createHeap<T extends { readonly order: number | string }>(): Heap<T> {
  const entries: T[] = [];
  const swapIfLower = (child: number, parent: number): boolean => {
    const [a, b] = [entries[child], entries[parent]];
    if (a === undefined || b === undefined || a.order >= b.order) return false;
    entries[child] = b;
    entries[parent] = a;
    return true;
  };
  const sink = (from: number): void => {
    for (let parent = from; ;) {
      const [left, right] = [2 * parent + 1, 2 * parent + 2];
      const [a, b] = [entries[left], entries[right]];
      const lower = a !== undefined && b !== undefined && b.order < a.order ? right : left;
      if (!swapIfLower(lower, parent)) return;
      parent = lower;
    }
  };
  return {
    peek: () => entries[0],
    push(entry) {
      entries.push(entry);
      for (let child = entries.length - 1; child > 0;) {
        const parent = (child - 1) >> 1;
        if (!swapIfLower(child, parent)) return;
        child = parent;
      }
    },
    pop() {
      const top = entries[0];
      const last = entries.pop();
      if (last === undefined || entries.length === 0) return top;
      entries[0] = last;
      sink(0);
      return top;
    },
  };
}
