import { setTimeout as delay } from 'node:timers/promises';
import { addSourceUrl, type FrozenTime, type Page, type TargetSession, withTimeout } from '@platen/kernel';
import { type NetworkTracker, trackNetwork, waitForIdle } from '@platen/lib-network-idle';
import { Animations } from './animations.js';
import { drawFrame, freezeRealm, giveSecond, giveWorkerSecond, standStill, stepDocument, stepWorker } from './in-page/index.js';

/** Animations may start others when they end. */
const MOST_ROUNDS = 5;
/** Milliseconds after which a request in flight, such as one that never ends, no longer stops the time. */
const STUCK_MS = 5000;
/** Milliseconds for which the timers of one second may be busy. */
const SECOND_MS = 8000;
/** Milliseconds after the load for which a render that does not wait may be busy. */
const PATIENCE_MS = 2500;
/** Milliseconds for a frame to respond, and for its videos to show their first frame. */
const FRAME_MS = 2000;
const MEDIA_MS = 5000;
const LIMITS = { timeoutMs: FRAME_MS, evaluateMs: SECOND_MS };

/**
 * The time of one tab. That of each document and worker stands still, except for whole seconds that it is given: these pass in steps, as
 * fast as timers run, and not while a request is in flight.
 */
export class FrozenPage {
  readonly #page: Page;
  readonly #targets = new Set<TargetSession>();
  readonly #tracker: NetworkTracker;
  readonly #animations: Animations;
  /** The second that is being spent, or the last one. */
  #second: Promise<unknown> = Promise.resolve();
  /** Of the newest document: aborted when no further seconds are given. */
  #document = new AbortController();
  /** A request of the document does not end. */
  #isStuck = false;
  #ended = false;

  constructor(page: Page, frozen: FrozenTime) {
    this.#page = page;
    const source = addSourceUrl(`(${freezeRealm.toString()})(${JSON.stringify(frozen)})`);
    page.targets.configure((target) => {
      if (target.kind === 'worklet') return [];
      this.#targets.add(target);
      target.onEnd(() => this.#targets.delete(target));
      return target.inject(source, { needsInterfaces: true });
    });
    this.#tracker = trackNetwork(page.targets);
    this.#animations = new Animations(page);
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) void this.#run();
    });
  }

  /** Ends all that goes on in the page: resolves when it stands still. `shown` may be a popup. */
  async stand(shown: Page): Promise<void> {
    this.#document.abort();
    await this.#second;
    // Popups and iframes may have appeared since. What an animation leads to when it is finished passes, too.
    for (let round = 0; round < MOST_ROUNDS; round++) if (!(await this.#spend())) break;
    await shown.inEveryFrame(({ evaluate }) => evaluate(standStill), { timeoutMs: FRAME_MS, evaluateMs: MEDIA_MS });
  }

  end(): void {
    this.#ended = true;
    this.#document.abort();
  }

  /** The first second of a document immediately. Further ones, for which the render waits, no faster than the real time. */
  async #run(): Promise<void> {
    this.#document.abort();
    if (this.#ended) return;
    const { signal } = (this.#document = new AbortController());
    this.#isStuck = false;
    this.#second = this.#spend();
    await this.#second;
    for (let due = performance.now() + PATIENCE_MS; ; due += 1000) {
      await delay(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#second = this.#give().then(() => this.#spend());
      await this.#second;
    }
  }

  async #give(): Promise<void> {
    await this.#inDocuments(giveSecond);
    await this.#inWorkers(giveWorkerSecond);
  }

  /**
   * Spends what is left of the seconds of all documents and workers, those too that appear meanwhile, and finishes animations. Another page
   * ends it. Resolves with whether an animation had an end.
   */
  async #spend(): Promise<boolean> {
    const own = this.#document;
    let end = Infinity;
    do {
      await this.#settle();
      end = Math.min(end, performance.now() + SECOND_MS);
      // What came with it is drawn, and observers run, before timers go on.
      await withTimeout(this.#page.evaluate(drawFrame), FRAME_MS).catch(() => undefined);
      if (own !== this.#document) return false;
    } while ((await this.#step()) && performance.now() < end);
    return this.#finishAnimations();
  }

  /** Until the page has loaded and no request is in flight. Where one never ends, there is no further wait. */
  async #settle(): Promise<void> {
    if (this.#isStuck) return;
    const stop = new AbortController();
    const wait = { page: this.#page, tracker: this.#tracker, signal: stop.signal, condition: { connections: 0, quietSeconds: 0 } };
    // It fails where the page is gone.
    const settled = waitForIdle(wait).then(
      () => true,
      () => true,
    );
    this.#isStuck = (await withTimeout(settled, STUCK_MS)) !== true;
    stop.abort();
  }

  /** Whether there is time left to spend, or a request that a timer has made. */
  async #step(): Promise<boolean> {
    const isBusy = [...(await this.#inDocuments(stepDocument)), ...(await this.#inWorkers(stepWorker))].includes(true);
    return isBusy || (!this.#isStuck && this.#tracker.inFlight(performance.now()) > 0);
  }

  /** In two frames styles are computed, and transitions started. */
  async #finishAnimations(): Promise<boolean> {
    for (let frames = 0; frames < 2; frames++) await this.#inDocuments(drawFrame);
    return this.#animations.finish();
  }

  /** In those of popups, too. */
  async #inDocuments(run: () => unknown): Promise<readonly unknown[]> {
    const popups = [...this.#targets].filter(({ kind, primary }) => kind === 'page' && !primary);
    const pages = [this.#page, ...popups.map((popup) => this.#page.pageOf(popup))];
    return (await Promise.all(pages.map((page) => page.inEveryFrame(({ evaluate }) => evaluate(run), LIMITS).catch(() => [])))).flat();
  }

  async #inWorkers(run: () => unknown): Promise<readonly unknown[]> {
    const workers = [...this.#targets].filter(({ hasDocuments }) => !hasDocuments);
    const call = { expression: addSourceUrl(`(${run.toString()})()`), awaitPromise: true, returnByValue: true };
    const read = async (worker: TargetSession): Promise<unknown> => {
      const { result } = await worker.send('Runtime.evaluate', call, { timeoutMs: SECOND_MS });
      return result.value;
    };
    return Promise.all(workers.map((worker) => read(worker).catch(() => undefined)));
  }
}
