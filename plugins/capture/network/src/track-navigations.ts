import { type Page, withoutUserinfo, withTimeout } from '@platen/kernel';
import type { PageNavigationRecord } from './exchange.js';
import type { ExchangeTable } from './exchange-table.js';

/** The page's main documents, in order of navigation. */
export interface Visits {
  /** The document currently shown. */
  readonly shown: string | undefined;
  has(id: string): boolean;
  stop(): Promise<void>;
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
  const visits: Visit[] = [];
  const readTitle = async (visit: Visit | undefined): Promise<void> => {
    const reading = page.evaluate(() => document.title);
    const title = await withTimeout(reading, TITLE_MS).catch(() => undefined);
    // The page may have navigated meanwhile.
    if (visit && visit === visits.at(-1)) visit.title = title ?? visit.title;
  };
  // For a document that is not an exchange, such as a `data:` URL, no other event reports the start.
  let asked: DocumentStart | undefined;
  const listening = [
    page.on('Network.requestWillBeSent', ({ requestId: id, loaderId, timestamp, wallTime }) => {
      if (id === loaderId) asked = { id, timestamp, wallTime };
    }),
    page.on('Page.frameNavigated', ({ frame: { id, parentId, loaderId, url, urlFragment = '', unreachableUrl } }) => {
      if (parentId !== undefined || id !== page.mainFrameId) return;
      visits.push({
        id: loaderId,
        url: withoutUserinfo(unreachableUrl ?? url + urlFragment),
        committedAt: Date.now(),
        title: '',
        start: asked?.id === loaderId ? asked : undefined,
      });
    }),
    page.on('Page.domContentEventFired', ({ timestamp }) => {
      const visit = visits.at(-1);
      if (visit) visit.contentLoaded = timestamp;
    }),
    page.on('Page.loadEventFired', ({ timestamp }) => {
      const visit = visits.at(-1);
      if (!visit) return;
      visit.loaded = timestamp;
      void readTitle(visit);
    }),
  ];
  return {
    get shown() {
      return visits.at(-1)?.id;
    },
    has: (id) => visits.some((visit) => visit.id === id),
    async stop() {
      for (const stop of listening) stop();
      await readTitle(visits.at(-1));
    },
    list: () => visits.map((visit) => describe(visit, table)),
  };
}

function describe({ id, url, title, committedAt, start, contentLoaded, loaded }: Visit, table: ExchangeTable): PageNavigationRecord {
  const document = table.drafts.find((pending) => pending.requestId === id) ?? start;
  const since = (moment: number | undefined) =>
    moment === undefined || !document ? undefined : Math.max(0, (moment - document.timestamp) * 1000);
  const wallStart = new Date(document ? document.wallTime * 1000 : committedAt);
  return { id, url, title, wallStart, contentLoadedMs: since(contentLoaded), loadedMs: since(loaded) };
}
