import { enableNetwork, type Page, type TargetSession } from '@platen/kernel';

/** Requests that a user does not wait for, or that never end. */
const IGNORED: ReadonlySet<string> = new Set([
  ...['Image', 'Media', 'Font', 'TextTrack', 'Ping', 'EventSource', 'WebSocket', 'Prefetch', 'CSPViolationReport', 'Manifest'],
]);

/** The requests and navigations in progress of a page, its frames and its popups. */
export class NetworkActivity {
  /** By session: each process counts its own. The value is the loader that the request belongs to. */
  readonly #requests = new Map<TargetSession, Map<string, string>>();
  readonly #navigating = new Map<TargetSession, Set<string>>();
  readonly #stops: (() => void)[] = [];
  readonly #listeners = new Set<() => void>();
  #ignored = new Set<string>();
  #isStopped = false;

  constructor(page: Page) {
    page.targets.configure((target) => {
      const isDocument = target.kind === 'page' || target.kind === 'iframe';
      if (!isDocument || this.#isStopped) return [];
      this.#follow(target);
      return target.primary ? [] : [enableNetwork(target)];
    });
  }

  get isQuiet(): boolean {
    const isBusy = [...this.#requests.values()].some((requests) => [...requests.keys()].some((id) => !this.#ignored.has(id)));
    return !isBusy && [...this.#navigating.values()].every((frames) => frames.size === 0);
  }

  /** Requests in progress no longer count: they outlast any wait. */
  ignoreCurrent(): void {
    this.#ignored = new Set([...this.#requests.values()].flatMap((requests) => [...requests.keys()]));
  }

  /** Runs at each change, until the returned function is called. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Ends following. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #follow(target: TargetSession): void {
    const requests = new Map<string, string>();
    const navigating = new Set<string>();
    this.#requests.set(target, requests);
    this.#navigating.set(target, navigating);
    const changed = () => {
      for (const listener of [...this.#listeners]) listener();
    };
    const ended = ({ requestId }: { readonly requestId: string }) => {
      if (requests.delete(requestId)) changed();
    };
    const arrived = ({ frameId }: { readonly frameId: string }) => {
      if (navigating.delete(frameId)) changed();
    };
    this.#stops.push(
      target.on('Network.requestWillBeSent', ({ requestId, loaderId, type = '', request }) => {
        if (IGNORED.has(type) || /^(?:data|blob):/i.test(request.url)) return;
        requests.set(requestId, loaderId);
        changed();
      }),
      target.on('Network.loadingFinished', ended),
      target.on('Network.loadingFailed', ended),
      target.on('Page.frameStartedNavigating', ({ frameId, navigationType }) => {
        if (/samedocument$/i.test(navigationType)) return;
        navigating.add(frameId);
        changed();
      }),
      target.on('Page.frameStoppedLoading', arrived),
      target.on('Page.frameDetached', arrived),
      target.on('Page.frameNavigated', ({ frame }) => {
        // The end of requests of a document that was left may never be reported.
        if (frame.parentId === undefined) for (const [id, loader] of requests) if (loader !== frame.loaderId) requests.delete(id);
        arrived({ frameId: frame.id });
      }),
    );
    target.onEnd(() => {
      this.#requests.delete(target);
      this.#navigating.delete(target);
      changed();
    });
  }
}
