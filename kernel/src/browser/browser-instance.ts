import type { Egress } from '../egress/index.js';
import type { Logger } from '../logger.js';
import type { DeviceProfile } from './contract.js';
import { DEFAULT_PROFILE } from './device-profile.js';
import { openPageContext, type PageContext } from './page-context.js';
import { browserDisconnectedError, type BrowserProcess } from './process.js';
import { createRendererPriority, type RendererPriority } from './renderer-priority.js';
import { createPendingTasks } from './pending-tasks.js';

export interface BrowserInstanceOptions {
  readonly process: BrowserProcess;
  readonly egress: Egress;
  readonly log: Logger;
  /** Contexts to keep open ahead. */
  readonly warm: number;
  /** Whether the machine has time for that now. */
  readonly mayWarm: () => boolean;
  /** Pages draw frames on command, not by the clock. */
  readonly beginFrames: boolean;
  /** Reports a page that did not open, or crashed before its use: the how many-th in a row. */
  readonly failed: (instance: BrowserInstance, inARow: number) => void;
  /** Called when its last render is over, unless the browser ends at that moment. */
  readonly rested: (instance: BrowserInstance) => void;
}

/** One browser with the contexts that live in it. */
export class BrowserInstance {
  readonly process: BrowserProcess;
  readonly #options: BrowserInstanceOptions;
  readonly #ready: PageContext[] = [];
  readonly #contexts = new Set<PageContext>();
  readonly #opening = createPendingTasks();
  readonly #priority: RendererPriority;
  #taken = 0;
  #active = 0;
  #failures = 0;
  #retired = false;
  #warming = false;
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
    return this.#ready.filter(({ alive }) => alive).length;
  }

  /** Contexts handed out so far. */
  get taken(): number {
    return this.#taken;
  }

  /** A context that was opened ahead, or a new one. */
  async take(profile: DeviceProfile): Promise<PageContext> {
    this.#taken += 1;
    this.#active += 1;
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
  async give(context: PageContext): Promise<void> {
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
        if (this.usable) log.warn({ err: error }, 'no page could be opened ahead');
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
    for (const context of this.#contexts) context.end(browserDisconnectedError());
    await this.process.close();
    await this.#opening.idle();
    await Promise.all([...this.#contexts].map((context) => this.#discard(context)));
  }

  #takeReady(): PageContext | undefined {
    for (let context = this.#ready.shift(); context; context = this.#ready.shift()) {
      if (context.alive) return context;
      this.#fail();
      void this.#discard(context);
    }
    return undefined;
  }

  async #open(profile: DeviceProfile): Promise<PageContext> {
    const { process, egress, log, beginFrames } = this.#options;
    const stuck = (error: unknown): void => {
      // The process is being terminated, which does whatever the call did not.
      if (this.closing) return;
      log.error({ err: error, pid: process.pid }, 'a browser context could not be closed: its browser takes no more renders');
      this.retire();
    };
    const opening = openPageContext({ process, egress, log, profile, beginFrames, stuck });
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

  async #discard(context: PageContext): Promise<void> {
    await context.close();
    this.#contexts.delete(context);
  }

  #leave(): void {
    this.#active -= 1;
    if (this.#active > 0) return;
    this.#priority.stop();
    if (this.#retired) void this.close();
    else this.#options.rested(this);
  }
}
