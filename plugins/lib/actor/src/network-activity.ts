import { enableNetwork, untilAborted, type Page, type TargetSession } from '@platen/kernel';

/** Requests that a user does not wait for, or that never end. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['Image', 'Media', 'Font', 'TextTrack', 'Ping', 'EventSource', 'WebSocket', 'Prefetch', 'CSPViolationReport', 'Manifest'],
]);

/** Requests for one URL within a wait after which the page polls it. */
const MAX_REPEATS = 4;

interface Activity {
  readonly target: TargetSession;
  readonly frameId: string;
  /** The document of a request; undefined for a navigation. */
  readonly loaderId: string | undefined;
}

/** The requests and navigations in progress of a page, its frames and its popups. */
export class NetworkActivity {
  /** By request id, and by frame id for navigations: a frame may end in another process what it began in one. */
  readonly #activities = new Map<string, Activity>();
  readonly #stops: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #ignored: ReadonlySet<string> = new Set();
  readonly #repeats = new Map<string, number>();
  #isStopped = false;

  constructor(page: Page) {
    page.targets.configure((target) => {
      if (!target.hasDocuments || this.#isStopped) return [];
      this.#follow(target);
      return target.primary ? [] : [target.send('Page.enable'), enableNetwork(target)];
    });
  }

  get #isIdle(): boolean {
    return [...this.#activities.keys()].every((id) => this.#ignored.has(id));
  }

  /** What is in progress no longer counts: it outlasts any wait. */
  ignoreCurrent(): void {
    this.#ignored = new Set(this.#activities.keys());
  }

  /** Begins a wait: what the page asks for again and again within it does not count. */
  countRepeats(): void {
    this.#repeats.clear();
  }

  /** Resolves once nothing that counts is in progress, or something. Rejects with the reason of the signal. */
  async reached(state: 'idle' | 'busy', signal: AbortSignal): Promise<void> {
    let check = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      check = () => {
        if (this.#isIdle === (state === 'idle')) resolve();
      };
    });
    this.#listeners.add(check);
    check();
    try {
      await untilAborted(reached, signal);
    } finally {
      this.#listeners.delete(check);
    }
  }

  /** Ends following. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #follow(target: TargetSession): void {
    const ended = ({ requestId }: { readonly requestId: string }) => {
      this.#drop((_activity, id) => id === requestId);
    };
    this.#stops.push(
      target.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId = '', type = '', request }) => {
        // Without a loader it is a worker's script: only the worker's own target reports its end.
        if (loaderId === '' || IGNORED.has(type) || /^(?:data|blob):/i.test(request.url) || this.#isPolled(request)) return;
        this.#add(requestId, { target, frameId, loaderId });
      }),
      target.on('Network.loadingFinished', ended),
      target.on('Network.loadingFailed', ended),
      target.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
        if (!/samedocument$/i.test(navigationType)) this.#add(`to ${frameId}`, { target, frameId, loaderId: undefined });
      }),
      target.on('Page.frameStoppedLoading', ({ frameId }) => {
        this.#drop((_activity, id) => id === `to ${frameId}`);
      }),
      // The end of requests of a document that was left, or whose frame has moved to another process, may never be reported.
      target.on('Page.frameNavigated', ({ frame }) => {
        this.#drop(({ frameId, loaderId }) => frameId === frame.id && loaderId !== frame.loaderId);
      }),
      target.on('Page.frameDetached', (frame) => {
        this.#drop(({ frameId, target: owner }) => frameId === frame.frameId && owner === target);
      }),
    );
    target.onEnd(() => {
      this.#drop((activity) => activity.target === target);
    });
  }

  /** Queries of polls differ by a time stamp; different bodies are different requests to one endpoint. */
  #isPolled({ method, url, postData = '' }: { readonly method: string; readonly url: string; readonly postData?: string }): boolean {
    const key = `${method} ${url.replace(/[?#].*/s, '')} ${postData}`;
    const count = (this.#repeats.get(key) ?? 0) + 1;
    this.#repeats.set(key, count);
    return count > MAX_REPEATS;
  }

  #add(id: string, activity: Activity): void {
    this.#activities.set(id, activity);
    this.#report();
  }

  #drop(isOver: (activity: Activity, id: string) => boolean): void {
    for (const [id, activity] of [...this.#activities]) if (isOver(activity, id)) this.#activities.delete(id);
    this.#report();
  }

  #report(): void {
    for (const listener of [...this.#listeners]) listener();
  }
}
