import { setMaxListeners } from 'node:events';
import { join } from 'node:path';
import { Changes, type PageWorker, withTimeout } from '@platen/kernel';
import { type Claim, keyOfUrl } from '@platen/lib-frontier';
import { RendezvousQueue } from './rendezvous-queue.js';
import { createHostRules, type HostRules } from './host-rules.js';
import type { WalkSource } from './keys.js';
import { inBatches, limitLists, UrlOffers } from './url-offers.js';
import { type ClosablePage, describeFailure, visitPage } from './visit-page.js';
import { WalkFiles } from './walk-files.js';
import type { WalkOptions } from './walk-options.js';
import type { StopReason, StoredWalk, WalkSummary } from './walk.js';

/** Of a page that the server is too busy for, or that was lost with its browser. */
const MAX_TRIES = 3;

/** Page workers visit the URLs of the frontier until it is empty or a limit is reached, and hand over one page after another. */
export class RunningWalk {
  readonly #options: WalkOptions;
  readonly #output = new RendezvousQueue<ClosablePage>();
  readonly #workers: readonly PageWorker[];
  readonly #controller = new AbortController();
  /** Aborted when the first worker ends. */
  readonly #finished = new AbortController();
  readonly #signal: AbortSignal;
  readonly #hosts: HostRules;
  readonly #files: WalkFiles;
  readonly #offers: UrlOffers;
  /** Keys of the target and of its final URL: each process loads it. */
  readonly #targets: ReadonlySet<string>;
  #checkpoint: string | undefined;
  #bytes = 0;
  /** Pages in progress, and lists that are being read. */
  #active = 0;
  /** More URLs may come. */
  #isListing = false;
  #isStopped = false;
  #stopReason: StopReason | undefined;
  readonly #changes = new Changes();

  constructor(options: WalkOptions) {
    this.#options = options;
    const { first, context, outbound, frontier, bodyLimit: limit, pageTimeoutMs: timeoutMs } = options;
    // Each worker that waits for a slot listens to it.
    setMaxListeners(0, this.#finished.signal);
    this.#workers = Array.from({ length: options.concurrency }, () => context.openWorker());
    this.#signal = AbortSignal.any([context.signal, this.#controller.signal]);
    this.#targets = new Set([first.page.url, first.finalUrl].map(keyOfUrl));
    this.#offers = new UrlOffers({ ...options, except: this.#targets, onOffered: this.#changed });
    this.#files = new WalkFiles({
      ...{ outbound, frontier, limit, timeoutMs, seed: first.page.url, referrer: first.finalUrl },
      check: async (url, file) => this.#workers[0]?.check(url, file),
      isArchived: (url) => this.#isArchived(url),
      hand: (file) => this.#hand(file),
    });
    const archive = (url: string) => this.#files.archive({ url, depth: 0, context, signal: this.#signal });
    this.#hosts = createHostRules({ ...options, archive });
    context.signal.addEventListener('abort', this.#changed, { once: true });
  }

  get summary(): WalkSummary {
    const { frontier, first } = this.#options;
    const { done, failed } = frontier.counts;
    return { done: done + (first.page.isPage ? 1 : 0), failed, stopReason: this.#stopReason };
  }

  get stored(): StoredWalk | undefined {
    const { state, frontier } = this.#options;
    return (
      state && {
        file: state.file,
        journal: join(state.folder, 'journal'),
        checkpoint: frontier.checkpoint,
        commit: (checkpoint) => {
          this.#checkpoint = checkpoint;
        },
      }
    );
  }

  wrote(bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes >= this.#options.maxBytes) this.#stop('archive_spill_max_bytes');
  }

  /** All pages, as they are completed. If the reader leaves, the visits in progress are abandoned. */
  async *pages(): AsyncGenerator<ClosablePage> {
    this.#active += 1;
    const working = Promise.all([this.#begin(), ...this.#workers.map((worker) => this.#work(worker))]).then(
      () => {
        this.#output.end();
      },
      (error: unknown) => {
        this.#output.end(error instanceof Error ? error : new Error(String(error)));
        this.#controller.abort(error);
        this.#changed();
      },
    );
    try {
      for await (const page of this.#output.items()) {
        yield page;
        await page[Symbol.asyncDispose]();
      }
      this.#report(this.#options.first.page.url);
    } finally {
      this.#controller.abort(new Error('the walk is over'));
      this.#changed();
      await working;
      await this.#options.frontier[Symbol.asyncDispose]();
    }
  }

  /** The target's page and the URLs that it leads to, or those of a list. */
  async #begin(): Promise<void> {
    const { first, sources } = this.#options;
    try {
      if (/^https?:/.test(first.page.url)) await this.#hosts.prepareOrigin(first.page.url);
      if (first.content !== undefined) await this.#offers.follow(first.content, first.page);
      if (first.list === undefined) await this.#archiveTarget();
      for (const { seeds, staysInScope } of sources) if (seeds !== undefined) await this.#addSeeds(seeds, { staysInScope });
      await first.list?.file.finish();
      if (first.list !== undefined) await this.#archiveTarget();
    } finally {
      this.#active -= 1;
      this.#changed();
    }
  }

  /** While the list arrives. It is read no further than the walk may go. */
  async #addSeeds(seeds: NonNullable<WalkSource['seeds']>, { staysInScope }: Pick<WalkSource, 'staysInScope'>): Promise<void> {
    const { frontier, maxPages, first, context } = this.#options;
    const signal = AbortSignal.any([this.#signal, this.#finished.signal]);
    const skipped = (url: string, reason: string) => {
      if (!this.#isOver()) this.#report(url, reason);
    };
    const fetchFile = limitLists(maxPages, {
      open: (url) => this.#files.open({ url, depth: 0, context, signal }),
      reached: (url) => {
        this.#noteLimit('crawl_max_links');
        skipped(url, 'the walk has fetched as many lists as it may');
      },
    });
    // A list may stall where the walk has ended.
    this.#finished.signal.addEventListener('abort', () => first.list?.stop(), { once: true });
    this.#isListing = true;
    for await (const urls of inBatches(seeds({ fetchFile, skipped, signal: this.#signal }))) {
      await this.#offers.add(urls, { depth: 0, staysInScope });
      const { queued, claimed, done, failed } = frontier.counts;
      if (this.#isOver() || queued + claimed + done + failed > maxPages) break;
    }
    this.#isListing = false;
  }

  /** Unless an earlier process did. */
  async #archiveTarget(): Promise<void> {
    const { first, frontier } = this.#options;
    if (await frontier.isArchived(first.page.url)) await first.page[Symbol.asyncDispose]();
    else await frontier.archive([first.page.url, first.finalUrl], await this.#hand(first.page));
  }

  /** Resolves once the archive has it, with the checkpoint after it. */
  async #hand(page: ClosablePage): Promise<string | undefined> {
    if (!(await this.#output.push(page))) throw new Error('the archive is no longer written');
    return this.#checkpoint;
  }

  async #handFailure(claim: Claim, reason: string): Promise<string | undefined> {
    return this.#options.reportsFailures ? this.#hand(describeFailure(claim, reason)) : undefined;
  }

  async #isArchived(url: string): Promise<boolean> {
    return this.#targets.has(keyOfUrl(url)) || (await this.#options.frontier.isArchived(url));
  }

  async #work(worker: PageWorker): Promise<void> {
    try {
      while (!this.#isOver()) {
        // The slot first: a worker without one holds no URL, so that walks cannot wait for each other.
        if (!(await this.#isReady(worker))) break;
        const changed = this.#changes.next();
        // A worker that asks for a URL may get the last one, which may lead to more.
        this.#active += 1;
        const claim = await this.#claim().finally(() => (this.#active -= 1));
        if (claim === undefined && this.#active === 0) break;
        if (typeof claim === 'object') await this.#visitActively(worker, claim);
        worker.releaseSlot();
        if (typeof claim !== 'object' && !this.#isOver()) await (claim === undefined ? changed : withTimeout(changed, claim));
      }
    } finally {
      // Nothing is left, or the walk has failed: workers that wait for a slot wait in vain.
      this.#finished.abort();
      worker.releaseSlot();
      await worker.close();
      this.#changed();
    }
  }

  async #visitActively(worker: PageWorker, claim: Claim): Promise<void> {
    this.#active += 1;
    try {
      await this.#visit(worker, claim);
    } finally {
      this.#active -= 1;
      this.#changed();
    }
  }

  /** False if the walk ended while the worker waited for a slot. */
  async #isReady(worker: PageWorker): Promise<boolean> {
    try {
      await worker.takeSlot(this.#finished.signal);
      return true;
    } catch (error) {
      if (this.#finished.signal.aborted || this.#isOver()) return false;
      throw error;
    }
  }

  #isOver(): boolean {
    return this.#signal.aborted || this.#isStopped;
  }

  async #claim(): Promise<Claim | number | undefined> {
    const { frontier, maxPages, first } = this.#options;
    const most = maxPages - (first.page.isPage ? 1 : 0);
    const claim = await frontier.claim(Date.now(), most);
    if (claim !== undefined) return claim;
    const { done, failed, claimed, queued } = frontier.counts;
    if (done + failed + claimed >= most && (queued > 0 || (this.#isListing && claimed === 0))) this.#stop('crawl_max_links');
    return undefined;
  }

  async #visit(worker: PageWorker, claim: Claim): Promise<void> {
    const { frontier, pageTimeoutMs, read, context } = this.#options;
    if (await this.#isArchived(claim.url)) return frontier.done(claim);
    await this.#hosts.prepareOrigin(claim.url);
    const options = { timeoutMs: pageTimeoutMs, read, signal: this.#signal };
    const result = claim.isFile === true ? ({ kind: 'file' } as const) : await visitPage(worker, claim, options);
    if (result.kind === 'retry') {
      const isLast = claim.tries + 1 >= MAX_TRIES;
      if (result.pausesHost) frontier.pause(new URL(claim.url).host, result.after);
      context.log.warn({ url: claim.url, reason: result.reason, again: !isLast }, 'a page of the walk was not loaded');
      await frontier.fail(claim, isLast ? { checkpoint: await this.#handFailure(claim, result.reason) } : { after: result.after });
      this.#report(claim.url, isLast ? result.reason : undefined);
    } else if (result.kind === 'refused') {
      context.log.info({ url: claim.url, reason: result.reason }, 'a page of the walk may not be visited');
      await frontier.fail(claim, { checkpoint: await this.#handFailure(claim, result.reason) });
      this.#report(claim.url, result.reason);
    } else if (result.kind === 'file') {
      const failure = await this.#files.visit({ ...claim, context: worker.context ?? context, signal: this.#signal });
      // A response, also with an error status, is archived by then.
      const isOwed = failure !== undefined && !(await this.#isArchived(claim.url));
      const checkpoint = isOwed ? await this.#handFailure(claim, failure) : undefined;
      await (failure === undefined ? frontier.done(claim) : frontier.fail(claim, { checkpoint }));
      this.#report(claim.url, failure);
    } else {
      // The page itself is visited again if this process ends before it is archived.
      if (keyOfUrl(result.finalUrl) !== keyOfUrl(claim.url)) await frontier.archive([result.finalUrl]);
      if (result.content !== undefined) await this.#offers.follow(result.content, claim);
      const checkpoint = await this.#hand(result.page);
      const { loadState, error } = result.page;
      await (loadState === 'failed' ? frontier.fail(claim, { checkpoint }) : frontier.done(claim, checkpoint));
      this.#report(claim.url, loadState === 'failed' ? error : undefined);
    }
  }

  #report(url: string, failure?: string): void {
    const { context, frontier } = this.#options;
    context.progress({ ...this.summary, queued: frontier.counts.queued, bytes: this.#bytes, url, failure });
  }

  #noteLimit(reason: StopReason): void {
    this.#stopReason ??= reason;
    this.#options.context.setResponseHeader('X-Crawl-Stopped', this.#stopReason);
  }

  #stop(reason: StopReason): void {
    this.#noteLimit(reason);
    this.#isStopped = true;
    this.#changed();
  }

  readonly #changed = (): void => {
    if (this.#isOver()) this.#finished.abort();
    this.#changes.notify();
  };
}
