/** Runs tasks of several owners with limited concurrency. Owners alternate, however many tasks each of them has. */
export interface FairQueue {
  open(): QueueEntrance;
}

export interface QueueEntrance {
  /** Runs the task in its turn. Never settles once the entrance is closed. */
  run<T>(task: () => Promise<T>): Promise<T>;
  /** Drops tasks that have not started. */
  close(): void;
}

export interface QueueLimits {
  /** Maximum number of concurrent tasks of all owners. */
  readonly all: number;
  /** And of one. */
  readonly each: number;
}

interface Owner {
  readonly waiting: (() => Promise<void>)[];
  running: number;
}

export function createFairQueue({ all, each }: QueueLimits): FairQueue {
  /** Owners with waiting tasks, the least recently served first. */
  const owners = new Set<Owner>();
  let running = 0;
  const next = (): void => {
    while (running < all) {
      const owner = [...owners].find((candidate) => candidate.running < each);
      const task = owner?.waiting.shift();
      if (owner === undefined || task === undefined) return;
      owners.delete(owner);
      if (owner.waiting.length > 0) owners.add(owner);
      running += 1;
      owner.running += 1;
      void task().finally(() => {
        running -= 1;
        owner.running -= 1;
        next();
      });
    }
  };
  return {
    open() {
      const owner: Owner = { waiting: [], running: 0 };
      let closed = false;
      return {
        run: (task) =>
          new Promise((resolve, reject) => {
            if (closed) return;
            owner.waiting.push(() => task().then(resolve, reject));
            owners.add(owner);
            next();
          }),
        close() {
          closed = true;
          owner.waiting.length = 0;
          owners.delete(owner);
        },
      };
    },
  };
}
