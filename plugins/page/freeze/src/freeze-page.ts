import { setTimeout as delay } from 'node:timers/promises';
import { addSourceUrl, type FrozenTime, type Page, untilAborted, withTimeout } from '@platen/kernel';
import { Animations } from './animations.js';
import { endTimers, freezeRealm, giveSecond, giveWorkerSecond, standStill } from './in-page/index.js';
import { VirtualTime } from './virtual-time.js';

/** Animations may start others when they end. */
const MOST_ROUNDS = 5;
/** Milliseconds after which a page that has not loaded gets further time. */
const LOAD_MS = 10_000;
/** Milliseconds after the load for which a render that does not wait may be busy. */
const PATIENCE_MS = 2500;
/** Milliseconds for a frame to respond, and for its videos to show their first frame. */
const FRAME_MS = 2000;
const MEDIA_MS = 5000;
const LIMITS = { timeoutMs: FRAME_MS, evaluateMs: FRAME_MS };

/** The time of one tab: scripts of its documents get it in whole seconds. */
export class FrozenPage {
  readonly #page: Page;
  readonly #time: VirtualTime;
  readonly #animations: Animations;
  /** The second that is being spent, or the last one. */
  #second: Promise<unknown> = Promise.resolve();
  #document = new AbortController();
  #ended = false;

  constructor(page: Page, frozen: FrozenTime) {
    this.#page = page;
    const source = addSourceUrl(`(${freezeRealm.toString()})(${JSON.stringify(frozen)})`);
    page.targets.configure((target) => (target.kind === 'worklet' ? [] : target.inject(source, { needsInterfaces: true })));
    this.#time = new VirtualTime(page, frozen.time);
    this.#animations = new Animations(page);
    page.on('Page.frameNavigated', ({ frame }) => {
      if (frame.parentId === undefined) void this.#run();
    });
  }

  /** Ends all that goes on in the page: resolves when it stands still. `shown` may be a popup. */
  async stand(shown: Page): Promise<void> {
    this.#document.abort();
    await this.#second;
    for (let round = 0; round < MOST_ROUNDS; round++) if (!(await this.#finishAnimations())) break;
    await this.#inWorkers(endTimers);
    // Platen's own timers in the page run.
    this.#document = new AbortController();
    void this.#time.pace(this.#document.signal);
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
    const { lifecycle } = this.#page;
    this.#second = this.#time.spent().then(() => this.#finishAnimations());
    await this.#second;
    await withTimeout(untilAborted(lifecycle.reached('load'), signal), LOAD_MS).catch(() => undefined);
    for (let due = performance.now() + PATIENCE_MS; ; due += 1000) {
      await delay(Math.max(0, due - performance.now()), undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      this.#second = this.#nextSecond().then(() => this.#finishAnimations());
      await this.#second;
    }
  }

  async #nextSecond(): Promise<void> {
    await this.#page.inEveryFrame(({ evaluate }) => evaluate(giveSecond), LIMITS).catch(() => undefined);
    await this.#inWorkers(giveWorkerSecond);
    this.#time.give();
    await this.#time.spent();
  }

  /** In two frames styles are computed, and transitions started. */
  async #finishAnimations(): Promise<boolean> {
    await this.#page.inEveryFrame(({ evaluate }) => evaluate(twoFrames), LIMITS).catch(() => undefined);
    return this.#animations.finish();
  }

  async #inWorkers(run: () => void): Promise<void> {
    const call = { expression: addSourceUrl(`(${run.toString()})()`) };
    await Promise.allSettled(this.#time.workers().map((worker) => worker.send('Runtime.evaluate', call, { timeoutMs: FRAME_MS })));
  }
}

/** Runs in the page. */
async function twoFrames(): Promise<void> {
  for (let frames = 0; frames < 2; frames++) await new Promise((resolve) => requestAnimationFrame(resolve));
}
