import { availableParallelism } from 'node:os';
import { callOnAbort, reasonOf } from '../../deadline.js';
import type { Egress } from '../../egress/index.js';
import { drainingError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { DeviceProfile } from '../emulation/contract.js';
import { DEFAULT_PROFILE } from '../emulation/device-profile.js';
import type { BrowserContext } from '../page/browser-context.js';
import type { CertificateDatabase } from '../process/certificate-authorities.js';
import type { BrowserRequirements } from '../process/contract.js';
import { faultOfNamed, findBrowsers } from '../process/executable.js';
import { scaleSwitches, screenSwitches } from '../process/switches.js';
import type { PoolStatus } from './contract.js';
import { BrowserManager, PLAIN } from './browser-manager.js';
import type { BrowserInstance } from './browser-instance.js';
import { ConcurrencyLimiter } from './concurrency-limiter.js';
import { Lease, type Slot } from './lease.js';
import { createPendingTasks, type PendingTasks } from './pending-tasks.js';

export interface BrowserPoolOptions {
  readonly egress: Egress;
  readonly log: Logger;
  /** The operator's own choice of binary. */
  readonly browserPath?: string;
  /** Folder of the installation, see `FindOptions`. */
  readonly installation?: string;
  /** Runs the browser without its sandbox: only if the operator requests it. */
  readonly noSandbox?: boolean;
  /** Certificate authorities in addition to the browser's own. */
  readonly certificates?: CertificateDatabase | undefined;
  /** Maximum number of concurrent pages; further renders wait. Default: twice the number of processors. */
  readonly capacity?: number;
  /** Number of pages opened in advance; 0: none. */
  readonly warm?: number;
  /** Renders after which a browser is replaced. */
  readonly recycleAfter?: number;
  /** Bytes of private memory after which a browser is replaced. */
  readonly recycleMemoryBytes?: number;
  /** Health check interval in milliseconds. */
  readonly heartbeatMs?: number;
  /** Milliseconds after which an idle browser with a scale other than 1 is ended. */
  readonly idleMs?: number;
}

export interface OpenRequest {
  readonly needs: BrowserRequirements;
  readonly profile: DeviceProfile;
  /**
   * Cancels waiting, opening and all pending calls to the page, with its reason as their error. After `render_timeout` the page accepts
   * short calls until its lease ends.
   */
  readonly signal: AbortSignal;
  /** Resolves when the render has its output: until then no page is opened ahead in its place. */
  readonly rendered?: Promise<unknown>;
}

/** Pages for renders. The first browser starts with the first render, or with `start`. */
export interface BrowserPool {
  open(request: OpenRequest): Promise<Lease>;
  /**
   * Waits for a slot for a further tab of a render; renders with fewer tabs get theirs first. Resolves with the function that returns it.
   * Rejects with the signal's reason.
   *
   * @param render the signal with which the render was opened
   */
  takeSlot(signal: AbortSignal, render: AbortSignal): Promise<() => void>;
  /** Starts the shared browser and opens pages ahead, without waiting for a render to need them. */
  start(): Promise<void>;
  status(): PoolStatus;
  /** Ends all renders; afterwards no process and no file is left. */
  close(): Promise<void>;
}

const DEFAULTS = { warm: 2, recycleAfter: 1000, recycleMemoryBytes: 2 ** 30, heartbeatMs: 5000, idleMs: 60_000 } as const;

export function createBrowserPool(options: BrowserPoolOptions): BrowserPool {
  const { egress, log, certificates, noSandbox = false, capacity = 2 * availableParallelism() } = options;
  const { warm, recycleAfter, recycleMemoryBytes: memoryLimit, heartbeatMs, idleMs } = { ...DEFAULTS, ...options };
  const slots = new ConcurrencyLimiter(capacity);
  const mayWarm = () => slots.waiting === 0 && slots.busy < capacity;
  const find = () => findBrowsers(options);
  const whyNone = () => faultOfNamed(options);
  const limits = { warm, mayWarm, memoryLimit, heartbeatMs, idleMs };
  const manager = new BrowserManager({ find, whyNone, egress, log, noSandbox, certificates, ...limits });
  const work = createPendingTasks();
  const contexts = new Set<BrowserContext>();
  const parts: PoolParts = { manager, work, contexts, recycleAfter };
  if (noSandbox) log.warn({}, 'the browser runs without its sandbox: render only pages that you trust');

  return {
    async open(request) {
      const requestedAt = performance.now();
      const release = await slots.acquire(request.signal, request.signal);
      const slot = { release, queuedMs: performance.now() - requestedAt };
      const opening = work.track(openLease(parts, request, slot));
      opening.catch(release);
      return disposeIfAborted(opening, request.signal);
    },
    takeSlot: (signal, render) => slots.acquire(signal, render),
    async start() {
      const instance = await manager.shared(PLAIN, DEFAULT_PROFILE.deviceScaleFactor);
      instance.refill();
    },
    status() {
      const { browsers, warm: ahead, restarts, started, degraded } = manager;
      return { browsers, warm: ahead, busy: slots.busy, waiting: slots.waiting, capacity, restarts, started, degraded };
    },
    async close() {
      const reason = drainingError();
      slots.close(reason);
      for (const context of contexts) context.end(reason);
      await manager.close(reason);
      await work.idle();
    },
  };
}

interface PoolParts {
  readonly manager: BrowserManager;
  /** Background tasks. */
  readonly work: PendingTasks;
  /** Contexts in use. */
  readonly contexts: Set<BrowserContext>;
  readonly recycleAfter: number;
}

async function openLease({ manager, work, contexts, recycleAfter }: PoolParts, request: OpenRequest, slot: Slot): Promise<Lease> {
  const { instance, context } = await take(manager, request);
  contexts.add(context);
  const giveBack = async (): Promise<void> => {
    contexts.delete(context);
    await instance.give(context);
    if (request.needs.exclusive) instance.retire();
    else if (instance.taken >= recycleAfter) manager.renew(instance);
    // Encoding of its output has the processors first.
    void Promise.resolve(request.rendered).then(() => {
      instance.refill();
    });
  };
  return new Lease({ instance, context, signal: request.signal, slot, giveBack: () => void work.track(giveBack()) });
}

/** Opens a context in a running browser; retries once if the browser exited meanwhile. */
async function take(
  manager: BrowserManager,
  { needs, profile }: OpenRequest,
): Promise<{ instance: BrowserInstance; context: BrowserContext }> {
  for (let attempt = 1; ; attempt++) {
    const instance = needs.exclusive
      ? await manager.exclusive(fitted(needs, profile))
      : await manager.shared(needs, nativeScaleFactor(needs, profile));
    try {
      const context = await instance.take(profile);
      if (needs.proxy !== undefined) context.useProxy(needs.proxy);
      if (needs.offline === true) context.goOffline();
      manager.opened();
      return { instance, context };
    } catch (error) {
      const { gone } = instance.process;
      if (needs.exclusive) instance.retire();
      if (!gone || attempt === 2) throw error;
    }
  }
}

/**
 * If the viewport is not a whole number of device pixels, the browser's own scale would change its size. A scale below 1 would change the
 * layout: borders are at least one device pixel wide, which is more than a CSS pixel there.
 */
function nativeScaleFactor({ scaled = false }: BrowserRequirements, { width, height, deviceScaleFactor: scale }: DeviceProfile): number {
  return scaled && scale > 1 && [width * scale, height * scale].every(isWhole) ? scale : DEFAULT_PROFILE.deviceScaleFactor;
}

/** Within floating-point precision: 720 * 1.1 is 792.0000000000001. */
function isWhole(length: number): boolean {
  return Math.abs(length - Math.round(length)) < 1e-6;
}

/**
 * A dedicated browser has the render's screen and scale itself: under emulation alone, a screencast is in CSS pixels. Not below 1, see
 * `nativeScaleFactor`.
 */
function fitted(needs: BrowserRequirements, profile: DeviceProfile): BrowserRequirements {
  const { width, height, deviceScaleFactor: scale } = profile;
  const switches = scale > 1 ? scaleSwitches(profile) : screenSwitches({ width, height, deviceScaleFactor: 1 });
  return { ...needs, switches: [...needs.switches, ...switches] };
}

/** A page opened after its caller has gone is closed immediately. */
function disposeIfAborted(opening: Promise<Lease>, signal: AbortSignal): Promise<Lease> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(reasonOf(signal));
      opening.then((lease) => lease[Symbol.asyncDispose]()).catch(() => undefined);
    };
    opening.then(resolve, reject).finally(callOnAbort(signal, abort));
  });
}
