import { addSourceUrl, type Page, type TargetSession, withoutUserinfo, withTimeout } from '@platen/kernel';
import type { PageNavigationRecord } from './exchange.js';
import type { ExchangeTable } from './exchange-table.js';
import type { PendingExchange, ShownDocuments } from './pending-exchange.js';

/** The main documents that the page and its popups show, in order of navigation. */
export interface Visits {
  /** To be called for each target. */
  follow(target: TargetSession): void;
  /** The documents currently shown, for a request of the target. */
  shownTo(target: TargetSession): ShownDocuments;
  /** Ends the tracking of the documents; `captured` is the page, or the popup that is captured in its place. */
  stop(captured: Page): Promise<void>;
  /**
   * A main document's own requests belong to its page navigation, from the first hop on. All others belong to the document shown when they
   * began. Popups belong to the page, unless a popup is captured.
   */
  visitOf(pending: PendingExchange): string | undefined;
  /** The captured page's last document comes last. */
  list(): readonly PageNavigationRecord[];
}

/** When a document was requested: seconds of the browser's clock, and since 1970. */
interface DocumentStart {
  readonly id: string;
  readonly timestamp: number;
  readonly wallTime: number;
}

interface Visit {
  readonly id: string;
  /** The target's id. */
  readonly tab: string;
  readonly url: string;
  readonly committedAt: number;
  readonly start: DocumentStart | undefined;
  title: string;
  contentLoaded?: number;
  loaded?: number;
}

const TITLE_MS = 1000;

/** If a page hangs, its record has no title. */
export function trackNavigations(page: Page, table: ExchangeTable): Visits {
  return new Navigations(page, table);
}

class Navigations implements Visits {
  readonly #page: Page;
  readonly #table: ExchangeTable;
  readonly #visits: Visit[] = [];
  /** The page or popup of each target, by their ids. */
  readonly #tabs = new Map<string, string>();
  readonly #stops: (() => void)[] = [];
  #isStopped = false;
  #captured: string;

  constructor(page: Page, table: ExchangeTable) {
    this.#page = page;
    this.#table = table;
    this.#captured = page.targetId;
  }

  follow(target: TargetSession): void {
    if (this.#isStopped) return;
    const tab = target.kind === 'page' ? target.targetId : this.#tabOf(target);
    this.#tabs.set(target.targetId, tab);
    this.#stops.push(
      // An iframe or worker is reported to its parent before it makes a request.
      target.on('Target.attachedToTarget', ({ targetInfo }) => {
        if (targetInfo.type !== 'page') this.#tabs.set(targetInfo.targetId, tab);
      }),
      ...(target.kind === 'page' ? this.#followDocuments(target) : []),
    );
  }

  shownTo(target: TargetSession): ShownDocuments {
    return { byPage: this.#lastOf(this.#page.targetId)?.id, byTab: this.#lastOf(this.#tabOf(target))?.id };
  }

  async stop(captured: Page): Promise<void> {
    this.#isStopped = true;
    for (const stop of this.#stops) stop();
    this.#captured = captured.targetId;
    const reading = captured.evaluate(() => document.title);
    await this.#readTitle(captured.targetId, reading);
  }

  visitOf({ loaderId, during: { byPage, byTab } }: PendingExchange): string | undefined {
    if (this.#counted().some(({ id }) => id === loaderId)) return loaderId;
    return this.#captured === this.#page.targetId ? byPage : (byTab ?? byPage);
  }

  list(): readonly PageNavigationRecord[] {
    const counted = this.#counted();
    const last = this.#lastOf(this.#captured);
    const inOrder = last === undefined ? counted : [...counted.filter((visit) => visit !== last), last];
    return inOrder.map((visit) => describe(visit, this.#table));
  }

  #tabOf({ targetId }: TargetSession): string {
    return this.#tabs.get(targetId) ?? this.#page.targetId;
  }

  #lastOf(tab: string): Visit | undefined {
    return this.#visits.findLast((visit) => visit.tab === tab);
  }

  #counted(): readonly Visit[] {
    return this.#captured === this.#page.targetId ? this.#visits.filter(({ tab }) => tab === this.#captured) : this.#visits;
  }

  #followDocuments(target: TargetSession): readonly (() => void)[] {
    const tab = target.targetId;
    // For a document that is not an exchange, such as a `data:` URL, no other event reports the start.
    let asked: DocumentStart | undefined;
    return [
      target.on('Network.requestWillBeSent', ({ requestId: id, loaderId, timestamp, wallTime }) => {
        if (id === loaderId) asked = { id, timestamp, wallTime };
      }),
      target.on('Page.frameNavigated', ({ frame: { id, parentId, loaderId, url, urlFragment = '', unreachableUrl } }) => {
        if (parentId !== undefined || id !== tab) return;
        this.#visits.push({
          id: loaderId,
          tab,
          url: withoutUserinfo(unreachableUrl ?? url + urlFragment),
          committedAt: Date.now(),
          title: '',
          start: asked?.id === loaderId ? asked : undefined,
        });
      }),
      target.on('Page.domContentEventFired', ({ timestamp }) => {
        const visit = this.#lastOf(tab);
        if (visit) visit.contentLoaded = timestamp;
      }),
      target.on('Page.loadEventFired', ({ timestamp }) => {
        const visit = this.#lastOf(tab);
        if (!visit) return;
        visit.loaded = timestamp;
        void this.#readTitle(tab, tab === this.#page.targetId ? this.#page.evaluate(() => document.title) : readPopupTitle(target));
      }),
    ];
  }

  async #readTitle(tab: string, reading: Promise<string | undefined>): Promise<void> {
    const visit = this.#lastOf(tab);
    const title = await withTimeout(reading, TITLE_MS).catch(() => undefined);
    // The page may have navigated meanwhile.
    if (visit && visit === this.#lastOf(tab)) visit.title = title ?? visit.title;
  }
}

/** In the page's own world: an isolated one would be another part of a popup that most renders do not use. */
async function readPopupTitle(target: TargetSession): Promise<string | undefined> {
  const { result } = await target.send('Runtime.evaluate', { expression: addSourceUrl('document.title'), returnByValue: true });
  return typeof result.value === 'string' ? result.value : undefined;
}

function describe({ id, url, title, committedAt, start, contentLoaded, loaded }: Visit, table: ExchangeTable): PageNavigationRecord {
  const document = table.exchanges.find((pending) => pending.requestId === id) ?? start;
  const since = (moment: number | undefined) =>
    moment === undefined || !document ? undefined : Math.max(0, (moment - document.timestamp) * 1000);
  const wallStart = new Date(document ? document.wallTime * 1000 : committedAt);
  return { id, url, title, wallStart, contentLoadedMs: since(contentLoaded), loadedMs: since(loaded) };
}
