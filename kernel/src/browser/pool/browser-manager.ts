import type { Egress } from '../../egress/index.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { CertificateDatabase } from '../process/certificate-authorities.js';
import type { BrowserRequirements, BrowserVariant } from '../process/contract.js';
import { DEFAULT_PROFILE } from '../emulation/device-profile.js';
import { browserFor, type FoundBrowser, type FoundBrowsers, type NamedFault } from '../process/executable.js';
import { type BrowserInstance, launchInstance } from './browser-instance.js';
import { OpeningCheck } from './opening-check.js';
import { sweepPrivateFolders } from '../process/private-folder.js';
import { ScaledBrowsers, SharedBrowser } from './shared-browsers.js';
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

/** Events of a browser that several renders share. */
interface SharedBrowserEvents {
  /** It exited unexpectedly. */
  replace(instance: BrowserInstance): Promise<void>;
  /** It has served long enough. */
  renew(instance: BrowserInstance): Promise<void>;
  onIdle?(instance: BrowserInstance): void;
}

interface Start {
  readonly switches: readonly string[];
  readonly warm: number;
  /** Any render could use it. */
  readonly isPlain?: boolean;
  /** Undefined for a dedicated browser. */
  readonly events?: SharedBrowserEvents;
}

/** All browsers of one pool: one for each binary and scale that all renders share, and those of single renders. */
export class BrowserManager {
  readonly #options: BrowserManagerOptions;
  /** By the binary's path. */
  readonly #shared = new Map<string, SharedBrowser>();
  readonly #scaled: ScaledBrowsers;
  readonly #instances = new Map<BrowserInstance, SharedBrowserEvents | undefined>();
  readonly #work = createPendingTasks();
  readonly #closed = new AbortController();
  #found: Promise<FoundBrowsers> | undefined;
  #restarts = 0;
  readonly #started = new RunningExecutables();
  readonly #check = new OpeningCheck(async () => {
    const instance = await this.shared('shell', DEFAULT_PROFILE.deviceScaleFactor);
    await instance.give(await instance.take(DEFAULT_PROFILE));
  });

  constructor(options: BrowserManagerOptions) {
    this.#options = options;
    this.#scaled = new ScaledBrowsers(options);
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

  /** The shared browser for the variant at this scale, started if there is none. */
  async shared(variant: BrowserVariant, scale: number): Promise<BrowserInstance> {
    const found = await this.#find();
    const browser = browserFor(found, variant) ?? (await this.#none());
    // Pages are opened in advance in the browser that default renders use.
    const isPlain = browser.path === browserFor(found, 'shell')?.path;
    const warm = isPlain ? this.#options.warm : 0;
    if (scale !== 1) {
      const switches = scaleSwitches({ ...DEFAULT_PROFILE, deviceScaleFactor: scale });
      const start = { switches, warm: Math.min(1, warm), events: this.#scaled };
      return this.#scaled.get(`${String(scale)} ${browser.path}`, () => this.#launch(browser, start));
    }
    const known = this.#shared.get(browser.path);
    if (known) return known.get();
    const shared: SharedBrowser = new SharedBrowser(
      () => this.#launch(browser, { switches: [], warm, isPlain, events: shared }),
      this.#options.log,
    );
    this.#shared.set(browser.path, shared);
    return shared.get();
  }

  /** A browser for one render, which ends by being retired. */
  async exclusive({ variant, switches }: BrowserRequirements): Promise<BrowserInstance> {
    const browser = browserFor(await this.#find(), variant) ?? (await this.#none());
    return this.#launch(browser, { switches, warm: 0 });
  }

  /** Replaces a shared browser that has served long enough. */
  renew(instance: BrowserInstance): void {
    const events = this.#instances.get(instance);
    if (events && !this.#closed.signal.aborted) void this.#work.track(events.renew(instance));
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

  async #start(browser: FoundBrowser, { switches, warm, isPlain, events }: Start): Promise<BrowserInstance> {
    const identity = await fileIdentity(browser.path);
    const { instance, closed } = await launchInstance({
      ...this.#options,
      ...{ browser, switches, warm, signal: this.#closed.signal },
      onLost: (instance) => {
        this.#restarts += 1;
        if (events && !this.#closed.signal.aborted) void this.#work.track(events.replace(instance));
      },
      onMemoryLimit: (instance) => {
        this.renew(instance);
      },
      failed: (instance, inARow) => {
        if (inARow >= FAILURES) this.renew(instance);
        if (isPlain === true) this.#check.failed(false);
      },
      onIdle: (instance) => events?.onIdle?.(instance),
    });
    this.#started.add(instance, { path: browser.path, identity });
    this.#instances.set(instance, events);
    const forget = () => {
      this.#instances.delete(instance);
      this.#started.delete(instance);
    };
    void this.#work.track(closed.finally(forget));
    if (this.#closed.signal.aborted) void instance.close();
    return instance;
  }
}
