import type { Egress } from '../egress/index.js';
import { PlatenError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { BrowserNeeds, BrowserVariant } from './contract.js';
import { browserFor, type FoundBrowser, type FoundBrowsers, type NamedFault } from './executable.js';
import type { Host } from './host.js';
import { launchHost } from './launch-host.js';
import { sweepPrivateFolders } from './private-folder.js';
import { SharedBrowser } from './shared-browser.js';
import { createWorkLog } from './work-log.js';

export interface FleetOptions {
  readonly find: () => Promise<FoundBrowsers>;
  /** What is wrong with the browser that the operator named, where none was found. */
  readonly whyNone: () => Promise<NamedFault | undefined>;
  readonly egress: Egress;
  readonly log: Logger;
  readonly noSandbox: boolean;
  readonly warm: number;
  readonly mayWarm: () => boolean;
  readonly memoryMark: number;
  readonly heartbeatMs: number;
}

interface Start {
  readonly switches: readonly string[];
  readonly warm: number;
  /** Undefined for a browser of one render's own. */
  readonly sharedBy?: SharedBrowser;
}

/** All browsers of one pool: one for each binary that all renders share, and those of single renders. */
export class Fleet {
  readonly #options: FleetOptions;
  /** By the binary's path. */
  readonly #shared = new Map<string, SharedBrowser>();
  readonly #hosts = new Map<Host, SharedBrowser | undefined>();
  readonly #work = createWorkLog();
  readonly #closed = new AbortController();
  #found: Promise<FoundBrowsers> | undefined;
  #restarts = 0;

  constructor(options: FleetOptions) {
    this.#options = options;
  }

  get browsers(): number {
    return this.#hosts.size;
  }

  get warm(): number {
    return [...this.#hosts.keys()].reduce((total, host) => total + host.warm, 0);
  }

  /** How many browsers crashed or hung. */
  get restarts(): number {
    return this.#restarts;
  }

  /** The shared browser that serves the variant, started where there is none. */
  async shared(variant: BrowserVariant): Promise<Host> {
    const found = await this.#find();
    const browser = browserFor(found, variant) ?? (await this.#none());
    // Pages are opened ahead where plain renders will look for them.
    const warm = browser.path === browserFor(found, 'shell')?.path ? this.#options.warm : 0;
    const known = this.#shared.get(browser.path);
    if (known) return known.get();
    const shared: SharedBrowser = new SharedBrowser(
      () => this.#launch(browser, { switches: [], warm, sharedBy: shared }),
      this.#options.log,
    );
    this.#shared.set(browser.path, shared);
    return shared.get();
  }

  /** A browser for one render, which ends by being retired. */
  async exclusive({ variant, switches }: BrowserNeeds): Promise<Host> {
    const browser = browserFor(await this.#find(), variant) ?? (await this.#none());
    return this.#launch(browser, { switches, warm: 0 });
  }

  /** Replaces a shared browser that has served long enough. */
  renew(host: Host): void {
    const shared = this.#hosts.get(host);
    if (shared && !this.#closed.signal.aborted) void this.#work.track(shared.renew(host));
  }

  async close(reason: Error): Promise<void> {
    this.#closed.abort(reason);
    await Promise.all([...this.#hosts.keys()].map((host) => host.close()));
    await this.#work.idle();
  }

  async #find(): Promise<FoundBrowsers> {
    const found = await (this.#found ??= this.#work.track(sweepPrivateFolders()).then(this.#options.find));
    // One may be installed while Platen runs.
    if (!found.shell && !found.full) this.#found = undefined;
    return found;
  }

  /** The path that the operator named is for them alone: it is the cause. */
  async #none(): Promise<never> {
    const named = await this.#options.whyNone();
    if (named === undefined)
      throw new PlatenError(
        'browser_unavailable',
        'no browser was found: install Chromium or its headless shell, or name one with --browser-path',
        { retry_after: 60 },
      );
    const { where, path, fault } = named;
    throw new PlatenError('browser_unavailable', `the browser that this server is told to use (${where}) cannot be run: ${fault}`, {
      cause: new Error(`${where} ${path}: ${fault}`),
      retry_after: 60,
    });
  }

  #launch(browser: FoundBrowser, { switches, warm, sharedBy }: Start): Promise<Host> {
    this.#closed.signal.throwIfAborted();
    const launched = launchHost({
      ...this.#options,
      ...{ browser, switches, warm, signal: this.#closed.signal },
      lost: (host) => {
        this.#restarts += 1;
        if (sharedBy && !this.#closed.signal.aborted) void this.#work.track(sharedBy.replace(host));
      },
      heavy: (host) => {
        this.renew(host);
      },
    });
    return this.#work.track(
      launched.then(({ host, closed }) => {
        this.#hosts.set(host, sharedBy);
        void this.#work.track(closed.finally(() => this.#hosts.delete(host)));
        if (this.#closed.signal.aborted) void host.close();
        return host;
      }),
    );
  }
}
