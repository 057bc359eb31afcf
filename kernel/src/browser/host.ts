import type { Egress } from '../egress/index.js';
import type { Logger } from '../logger.js';
import type { DeviceProfile } from './contract.js';
import { DEFAULT_PROFILE } from './device-profile.js';
import { openPageContext, type PageContext } from './page-context.js';
import type { BrowserProcess } from './process.js';

/** One browser with the contexts that live in it. */
export interface Host {
  readonly process: BrowserProcess;
  /** False once it takes no new renders. */
  readonly usable: boolean;
  /** Contexts opened ahead. */
  readonly warm: number;
  /** Contexts handed out so far. */
  readonly taken: number;
  /** A context that was opened ahead, or a new one. */
  take(profile: DeviceProfile): Promise<PageContext>;
  /** Closes a context that was taken. */
  give(context: PageContext): Promise<void>;
  /** Opens contexts ahead, one at a time, as long as that is allowed. */
  refill(): void;
  /** Takes no new renders; closes when the last one is over. */
  retire(): void;
  /** Ends all renders and the process. */
  close(): Promise<void>;
  /** Resolves when everything of it is gone, whoever closed it. */
  readonly closed: Promise<void>;
}

export interface HostOptions {
  readonly process: BrowserProcess;
  readonly egress: Egress;
  readonly log: Logger;
  /** Contexts to keep open ahead. */
  readonly warm: number;
  /** Whether the machine has time for that now. */
  readonly mayWarm: () => boolean;
  readonly beginFrames: boolean;
  /** The process ended without having been told to, with this exit code or signal. */
  readonly lost: (exit: number | string) => void;
}

export function createHost({ process, egress, log, warm, mayWarm, beginFrames, lost }: HostOptions): Host {
  const ready: PageContext[] = [];
  const contexts = new Set<PageContext>();
  const opening = new Set<Promise<unknown>>();
  let taken = 0;
  let active = 0;
  let retired = false;
  let warming = false;
  let closing: Promise<void> | undefined;

  const stuck = (error: unknown): void => {
    log.error({ err: error, pid: process.pid }, 'a browser context could not be closed: its browser takes no more renders');
    retire();
  };
  const open = (profile: DeviceProfile): Promise<PageContext> => {
    const promise = openPageContext({ process, egress, log, profile, beginFrames, stuck });
    const settled: Promise<unknown> = promise.then((context) => contexts.add(context)).catch(() => undefined).finally(() => opening.delete(settled));
    opening.add(settled);
    return promise;
  };
  const discard = async (context: PageContext): Promise<void> => {
    await context.close();
    contexts.delete(context);
  };
  /** The process first: contexts of a browser that is gone close at once. */
  const closeAll = async (): Promise<void> => {
    for (const context of contexts) context.end(new Error('the browser is closed'));
    await process.close();
    await Promise.all(opening);
    await Promise.all([...contexts].map(discard));
  };
  const close = (): Promise<void> => {
    retired = true;
    return (closing ??= closeAll());
  };
  const retire = (): void => {
    retired = true;
    if (active === 0) void close();
    else for (const context of ready.splice(0)) void discard(context);
  };
  const leave = (): void => {
    active -= 1;
    if (retired && active === 0) void close();
  };
  const keep = (context: PageContext): void => {
    warming = false;
    if (retired) void discard(context);
    else ready.push(context);
    refill();
  };
  const refill = (): void => {
    if (warming || retired || process.gone || ready.length >= warm || !mayWarm()) return;
    warming = true;
    open(DEFAULT_PROFILE).then(keep, (error: unknown) => {
      warming = false;
      if (!retired) log.warn({ err: error }, 'no page could be opened ahead');
    });
  };
  const closed = process.exited.then((exit) => {
    if (!closing) lost(exit);
    return close();
  });

  return {
    process,
    get usable() {
      return !retired && !process.gone;
    },
    get warm() {
      return ready.length;
    },
    get taken() {
      return taken;
    },
    async take(profile) {
      taken += 1;
      active += 1;
      try {
        const found = takeAlive(ready, (dead) => void discard(dead));
        found?.adapt(profile);
        return found ?? (await open(profile));
      } catch (error) {
        leave();
        throw error;
      }
    },
    async give(context) {
      await discard(context);
      leave();
    },
    refill,
    retire,
    close,
    closed,
  };
}

function takeAlive(ready: PageContext[], bury: (dead: PageContext) => void): PageContext | undefined {
  for (let context = ready.shift(); context; context = ready.shift()) {
    if (context.alive) return context;
    bury(context);
  }
  return undefined;
}
