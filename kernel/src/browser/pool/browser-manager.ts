import type { Egress } from '../../egress/index.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { CertificateDatabase } from '../process/certificate-authorities.js';
import type { BrowserRequirements } from '../process/contract.js';
import { DEFAULT_PROFILE } from '../emulation/device-profile.js';
import { browserFor, type FoundBrowser, type FoundBrowsers, type NamedFault } from '../process/executable.js';
import { type BrowserInstance, launchInstance } from './browser-instance.js';
import { OpeningCheck } from './opening-check.js';
import { sweepPrivateFolders } from '../process/private-folder.js';
import { SharedBrowser } from './shared-browser.js';
import { fileIdentity, RunningExecutables } from '../process/running-executables.js';
import { scaleSwitches } from '../process/switches.js';
import { createPendingTasks } from './pending-tasks.js';

export interface BrowserManagerOptions {
  readonly find: () => Promise<FoundBrowsers>;
  /** Why the browser set by the operator is unusable, if no browser was found. */
  readonly whyNone: () => Promise<NamedFault | undefined>;
  readonly egress: Egress;
  readonly log: Logger;
  readonly noSandbox: boolean;
  readonly certificates: CertificateDatabase | undefined;
  readonly warm: number;
  readonly mayWarm: () => boolean;
  readonly memoryLimit: number;
  readonly heartbeatMs: number;
  /** Milliseconds after which an idle browser with a scale other than 1 is ended. */
  readonly idleMs: number;
}

/** After so many pages in a row that did not open, or crashed before their use, a shared browser is renewed. */
const FAILURES = 3;

/** What most renders need. */
export const PLAIN = { variant: 'shell', switches: [] } as const;

/** Maximum number of idle browsers besides the shared browser of scale 1. Browsers in use may exceed it. */
const MAX_IDLE_SCALED = 2;

interface Start {
  readonly switches: readonly string[];
  readonly warm: number;
  /** Any render could use it. */
  readonly isPlain?: boolean;
  /** Undefined for a dedicated browser. */
  readonly shared?: SharedBrowser;
}

/** All browsers of one pool: one for each binary and scale that all renders share, and those of single renders. */
export class BrowserManager {
  readonly #options: BrowserManagerOptions;
  /** By scale, switches and the binary's path. An emulated scale does not cross processes: cross-site iframes are painted at the browser's own scale. */
  readonly #shared = new Map<string, SharedBrowser>();
  /** Those of another scale or with switches of their own in the order of their last use. */
  readonly #instances = new Map<BrowserInstance, SharedBrowser | undefined>();
  readonly #work = createPendingTasks();
  readonly #closed = new AbortController();
  #found: Promise<FoundBrowsers> | undefined;
  #restarts = 0;
  readonly #started = new RunningExecutables();
  readonly #check = new OpeningCheck(async () => {
    const instance = await this.shared(PLAIN, DEFAULT_PROFILE.deviceScaleFactor);
    await instance.give(await instance.take(DEFAULT_PROFILE));
  });

  constructor(options: BrowserManagerOptions) {
    this.#options = options;
  }

  get browsers(): number {
    return this.#instances.size;
  }

  get warm(): number {
    return [...this.#instances.keys()].reduce((total, instance) => total + instance.warm, 0);
  }

  /** How many browsers crashed or hung. */
  get restarts(): number {
    return this.#restarts;
  }

  /** True while no browser can open a page. */
  get degraded(): boolean {
    return this.#check.degraded;
  }

  /** The executables of running or last-run browsers, by path. */
  get started(): ReadonlyMap<string, string> {
    return this.#started.read();
  }

  /** The shared browser for the variant at this scale and with these switches, started if there is none. */
  async shared({ variant, switches }: Pick<BrowserRequirements, 'variant' | 'switches'>, scale: number): Promise<BrowserInstance> {
    const found = await this.#find();
    const browser = browserFor(found, variant) ?? (await this.#none());
    // Pages are opened in advance in the browser that default renders use.
    const isPlain = browser.path === browserFor(found, 'shell')?.path;
    const warm = isPlain ? this.#options.warm : 0;
    const isLasting = scale === 1 && switches.length === 0;
    const scaled = scale === 1 ? [] : scaleSwitches({ ...DEFAULT_PROFILE, deviceScaleFactor: scale });
    const start = isLasting ? { switches, warm, isPlain } : { switches: [...switches, ...scaled], warm: Math.min(1, warm) };
    const key = [scale, ...switches, browser.path].join(' ');
    const launch = () => this.#launch(browser, { ...start, shared });
    const shared: SharedBrowser = this.#shared.get(key) ?? new SharedBrowser({ launch, isLasting, log: this.#options.log });
    this.#shared.set(key, shared);
    return shared.get();
  }

  /** A browser for one render, which ends by being retired. */
  async exclusive({ variant, switches }: BrowserRequirements): Promise<BrowserInstance> {
    const browser = browserFor(await this.#find(), variant) ?? (await this.#none());
    return this.#launch(browser, { switches, warm: 0 });
  }

  /** Replaces a shared browser that has served long enough. */
  renew(instance: BrowserInstance): void {
    const shared = this.#instances.get(instance);
    if (shared && !this.#closed.signal.aborted) void this.#work.track(shared.renew(instance));
  }

  /** Reports that a render has its page. */
  opened(): void {
    this.#check.succeeded();
  }

  async close(reason: Error): Promise<void> {
    this.#closed.abort(reason);
    this.#check.close();
    await Promise.all([...this.#instances.keys()].map((instance) => instance.close()));
    await this.#work.idle();
  }

  async #find(): Promise<FoundBrowsers> {
    const found = await (this.#found ??= this.#work.track(sweepPrivateFolders()).then(this.#options.find));
    // A browser may be installed while Platen runs.
    if (!found.shell && !found.full) this.#found = undefined;
    return found;
  }

  /** Only the operator may see the configured path, so it is in the cause. */
  async #none(): Promise<never> {
    this.#check.failed(this.#instances.size === 0);
    const named = await this.#options.whyNone();
    if (named === undefined)
      throw new PlatenError('browser_unavailable', 'no browser was found: install Chromium or its headless shell, or set --browser-path', {
        retry_after: 60,
      });
    const { where, path, fault } = named;
    throw new PlatenError('browser_unavailable', `the configured browser (${where}) cannot be run: ${fault}`, {
      cause: new Error(`${where} ${path}: ${fault}`),
      retry_after: 60,
    });
  }

  #launch(browser: FoundBrowser, start: Start): Promise<BrowserInstance> {
    this.#closed.signal.throwIfAborted();
    const started = this.#start(browser, start);
    started.catch(() => {
      // Another browser may be installed.
      this.#found = undefined;
      if (start.isPlain === true) this.#check.failed(this.#instances.size === 0);
    });
    return this.#work.track(started);
  }

  async #start(browser: FoundBrowser, { switches, warm, isPlain, shared }: Start): Promise<BrowserInstance> {
    const identity = await fileIdentity(browser.path);
    const { instance, closed } = await launchInstance({
      ...this.#options,
      ...{ browser, switches, warm, signal: this.#closed.signal },
      onLost: (instance) => {
        this.#restarts += 1;
        if (shared && !this.#closed.signal.aborted) void this.#work.track(shared.replace(instance));
      },
      onMemoryLimit: (instance) => {
        this.renew(instance);
      },
      failed: (instance, inARow) => {
        if (inARow >= FAILURES) this.renew(instance);
        if (isPlain === true) this.#check.failed(false);
      },
      onIdle: (instance) => {
        if (shared?.isLasting !== false) return;
        this.#instances.delete(instance);
        this.#instances.set(instance, shared);
        this.#trim();
      },
      ...(shared?.isLasting === false ? { idleMs: this.#options.idleMs } : { idleMs: undefined }),
    });
    this.#started.add(instance, { path: browser.path, identity });
    this.#instances.set(instance, shared);
    if (shared?.isLasting === false) this.#trim();
    const forget = () => {
      this.#instances.delete(instance);
      for (const [key, { isLasting, isEmpty }] of this.#shared) if (!isLasting && isEmpty) this.#shared.delete(key);
      this.#started.delete(instance);
    };
    void this.#work.track(closed.finally(forget));
    if (this.#closed.signal.aborted) void instance.close();
    return instance;
  }

  /** Runs after callers that just received a browser have opened their pages: until then it looks idle. */
  #trim(): void {
    setImmediate(() => {
      const scaled = [...this.#instances]
        .filter(([{ usable }, shared]) => usable && shared?.isLasting === false)
        .map(([instance]) => instance);
      const most = Math.max(0, scaled.length - MAX_IDLE_SCALED);
      for (const instance of scaled.filter(({ idle }) => idle).slice(0, most)) instance.retire();
    });
  }
}
