import type { InterceptHub } from '../protocol/contract.js';
import type { Downloads, Page } from '../page/contract.js';
import type { EgressEntry } from '../../egress/connection-log.js';

/** One tab: a page with its frames, workers and popups. */
export interface Tab {
  readonly page: Page;
  readonly intercept: InterceptHub;
  /** False once its page has crashed or its browser has exited. */
  readonly alive: boolean;
  /**
   * Prepares the page's current document, and reads it. If the page navigates to another document during the read, pending `Page` calls are
   * abandoned. The preparation may navigate the page elsewhere and back.
   * @throws `page_unstable` if the page has navigated to another document by itself.
   */
  onOneDocument<T>(steps: { prepare(): Promise<void>; read(): Promise<T> }): Promise<T>;
  /** The page that `onOneDocument` reads from now on: the tab's own, or one of its popups. */
  show(page: Page): void;
  /** Closes the tab before its browser context. Never rejects. */
  close(): Promise<void>;
}

/** The resources of one render: a browser context with its first tab, closed by disposing it. */
export interface BrowserLease extends Pick<Tab, 'page' | 'intercept' | 'onOneDocument' | 'show'>, AsyncDisposable {
  readonly egress: { readonly entries: readonly EgressEntry[] };
  /** Returns the slot before the lease ends: pages of the render are loaded with other slots from then on. */
  readonly releaseSlot: () => void;
  /** Opens one more tab, which shares cookies and cache. It needs a slot of its own: see `takeSlot`. */
  openTab(): Promise<Tab>;
  /** Waits for a slot of the pool for a further tab; resolves with the function that returns it. Rejects with the signal's reason. */
  takeSlot(signal: AbortSignal): Promise<() => void>;
  /** Accepts downloads from now on, into a folder that is removed with the page. Until then the browser refuses them. */
  acceptDownloads(): Promise<Downloads>;
  /** Milliseconds that the render waited for its turn. */
  readonly queuedMs: number;
  /**
   * True once the browser process behind the page, or its network service, is gone: the page may be incomplete. The browser's state after
   * the page was returned does not matter.
   */
  readonly browserGone: boolean;
}

export interface PoolStatus {
  readonly browsers: number;
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly capacity: number;
  readonly restarts: number;
  /** True while no browser can open a page. Before the first one starts it is false. */
  readonly degraded: boolean;
  /** The executables of running or last-run browsers, by path; the text differs if the file was replaced. */
  readonly started: ReadonlyMap<string, string>;
}
