import type { Egress } from '../../egress/index.js';
import type { Logger } from '../../logger.js';
import type { DeviceProfile } from '../emulation/contract.js';
import { DEFAULT_PROFILE } from '../emulation/device-profile.js';
import { type BrowserContext, openBrowserContext } from '../page/browser-context.js';
import { browserDisconnectedError, type BrowserProcess } from '../process/browser-process.js';
import type { CertificateDatabase } from '../process/certificate-authorities.js';
import type { FoundBrowser } from '../process/executable.js';
import { watchHealth } from '../process/health.js';
import { launchBrowser } from '../process/launch.js';
import { createRendererPriority, type RendererPriority } from '../process/renderer-priority.js';
import { createPendingTasks } from './pending-tasks.js';

const BEGIN_FRAMES = '--enable-begin-frame-control';

interface BrowserInstanceOptions {
  readonly process: BrowserProcess;
  readonly egress: Egress;
  readonly log: Logger;
  /** Contexts to keep open ahead. */
  readonly warm: number;
  /** Whether the machine has time for that now. */
  readonly mayWarm: () => boolean;
  /** Pages draw frames on command, not by the clock. */
  readonly beginFrames: boolean;
  /** Reports a page that did not open, or crashed before its use. `inARow`: number of consecutive failures. */
  readonly failed: (instance: BrowserInstance, inARow: number) => void;
  /** Milliseconds without a render after which it ends. Undefined: it stays. */
  readonly idleMs: number | undefined;
  /** Called when its last render is over, unless the browser ends at that moment. */
  readonly onIdle: (instance: BrowserInstance) => void;
}

/** One browser with the contexts that live in it. */
export class BrowserInstance {
  readonly process: BrowserProcess;
  readonly #options: BrowserInstanceOptions;
  readonly #ready: BrowserContext[] = [];
  readonly #contexts = new Set<BrowserContext>();
  readonly #opening = createPendingTasks();
  readonly #priority: RendererPriority;
  #taken = 0;
  #active = 0;
  #failures = 0;
  #retired = false;
  #warming = false;
  #idleTimer: NodeJS.Timeout | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: BrowserInstanceOptions) {
    this.process = options.process;
    this.#options = options;
    this.#priority = createRendererPriority(options.process.pid);
  }

  /** False once it accepts no new renders. */
  get usable(): boolean {
    return !this.#retired && !this.process.gone;
  }

  /** True once closing was requested. */
  get closing(): boolean {
    return this.#closing !== undefined;
  }

  /** No render uses it. */
  get idle(): boolean {
    return this.#active === 0;
  }

  /** Contexts opened ahead. */
  get warm(): number {
    return this.#ready.filter(({ tab }) => tab.alive).length;
  }

  /** Contexts handed out so far. */
  get taken(): number {
    return this.#taken;
  }

  /** A context that was opened ahead, or a new one. */
  async take(profile: DeviceProfile): Promise<BrowserContext> {
    this.#taken += 1;
    this.#active += 1;
    clearTimeout(this.#idleTimer);
    this.#priority.start();
    try {
      const found = this.#takeReady();
      found?.adapt(profile);
      const context = found ?? (await this.#open(profile));
      this.#failures = 0;
      return context;
    } catch (error) {
      this.#leave();
      throw error;
    }
  }

  /** Closes a context that is in use. */
  async give(context: BrowserContext): Promise<void> {
    await this.#discard(context);
    this.#leave();
  }

  /** Opens contexts in advance, one at a time, as long as that is allowed. */
  refill(): void {
    const { warm, mayWarm, log } = this.#options;
    if (this.#warming || !this.usable || this.#ready.length >= warm || !mayWarm()) return;
    this.#warming = true;
    this.#open(DEFAULT_PROFILE).then(
      (context) => {
        this.#warming = false;
        if (this.#retired) void this.#discard(context);
        else this.#ready.push(context);
        this.refill();
      },
      (error: unknown) => {
        this.#warming = false;
        if (this.usable) log.warn({ err: error }, 'no spare page could be opened');
      },
    );
  }

  /** Accepts no new renders; closes when the last one is over. */
  retire(): void {
    this.#retired = true;
    if (this.#active === 0) void this.close();
    else for (const context of this.#ready.splice(0)) void this.#discard(context);
  }

  /** Ends all renders and the process. */
  close(): Promise<void> {
    this.#retired = true;
    return (this.#closing ??= this.#closeAll());
  }

  /** The process first: once the browser has exited, its contexts close immediately. */
  async #closeAll(): Promise<void> {
    clearTimeout(this.#idleTimer);
    for (const context of this.#contexts) context.end(browserDisconnectedError());
    await this.process.close();
    await this.#opening.idle();
    await Promise.all([...this.#contexts].map((context) => this.#discard(context)));
  }

  #takeReady(): BrowserContext | undefined {
    for (let context = this.#ready.shift(); context; context = this.#ready.shift()) {
      if (context.tab.alive) return context;
      this.#fail();
      void this.#discard(context);
    }
    return undefined;
  }

  async #open(profile: DeviceProfile): Promise<BrowserContext> {
    const { process, egress, log, beginFrames } = this.#options;
    const stuck = (error: unknown): void => {
      // Terminating the process disposes the context too.
      if (this.closing) return;
      log.error({ err: error, pid: process.pid }, 'a browser context could not be closed: its browser accepts no more renders');
      this.retire();
    };
    const opening = openBrowserContext({ process, egress, log, profile, beginFrames, stuck });
    opening.catch(() => {
      this.#fail();
    });
    const context = await this.#opening.track(opening);
    this.#contexts.add(context);
    process.network.look();
    return context;
  }

  /** A browser that has exited or is closing is replaced anyway. */
  #fail(): void {
    if (this.closing || this.process.gone) return;
    this.#failures += 1;
    this.#options.failed(this, this.#failures);
  }

  async #discard(context: BrowserContext): Promise<void> {
    await context.close();
    this.#contexts.delete(context);
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active > 0) return;
    this.#priority.stop();
    if (this.#retired) void this.close();
    else this.#rest();
  }

  #rest(): void {
    const { idleMs, onIdle } = this.#options;
    // An idle browser must not keep the server process alive.
    if (idleMs !== undefined) this.#idleTimer = setTimeout(() => this.retire(), idleMs).unref();
    onIdle(this);
  }
}

interface InstanceLaunch extends Omit<BrowserInstanceOptions, 'process' | 'beginFrames'> {
  readonly browser: FoundBrowser;
  readonly switches: readonly string[];
  readonly noSandbox: boolean;
  readonly certificates: CertificateDatabase | undefined;
  readonly heartbeatMs: number;
  readonly memoryLimit: number;
  /** Cancels a launch in progress. */
  readonly signal: AbortSignal;
  /** The process exited unexpectedly: it crashed, hung, or was killed externally. */
  readonly onLost: (instance: BrowserInstance) => void;
  /** The browser has exceeded its memory limit. */
  readonly onMemoryLimit: (instance: BrowserInstance) => void;
}

interface LaunchedInstance {
  readonly instance: BrowserInstance;
  /** Resolves when its process, contexts and folder are gone. */
  readonly closed: Promise<void>;
}

/** Starts a browser, watches over it, and clears up when it ends for whatever reason. */
export async function launchInstance(options: InstanceLaunch): Promise<LaunchedInstance> {
  const { browser, switches, signal, log, heartbeatMs, memoryLimit } = options;
  const process = await launchBrowser(options);
  if (signal.aborted) {
    await process.close();
    signal.throwIfAborted();
  }
  const { pid, version } = process;
  log.info({ pid, version, variant: browser.variant, source: browser.source }, 'browser started');
  const instance = new BrowserInstance({ ...options, process, beginFrames: switches.includes(BEGIN_FRAMES) });
  const unwatch = watchHealth({
    process,
    intervalMs: heartbeatMs,
    memoryLimit,
    onHang() {
      log.error({ pid }, 'the browser hangs and is killed');
      process.kill();
    },
    onMemoryLimit(bytes) {
      log.info({ pid, bytes }, 'the browser exceeds its memory limit');
      options.onMemoryLimit(instance);
    },
  });
  const closed = process.exited.then((exit) => {
    unwatch();
    if (!instance.closing) {
      log.error({ pid, exit }, 'the browser exited unexpectedly');
      options.onLost(instance);
    }
    return instance.close();
  });
  return { instance, closed };
}
