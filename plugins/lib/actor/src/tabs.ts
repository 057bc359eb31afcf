import { type Page, type TargetSession, withoutUserinfo, withTimeout } from '@platen/kernel';
import type { Tab } from './action.js';

/** Milliseconds in which a popup that a page has begun to open is attached. */
const POPUP_MS = 1_000;

interface OpenTab {
  readonly id: string;
  readonly page: Page;
  readonly opener: OpenTab | undefined;
  /** Without user name and password, which models and scripts would repeat. */
  url: string;
  /** Resolves when the URL from before is known. */
  known: Promise<void>;
}

export interface TabChanges {
  readonly openedTab?: string;
  readonly closedTab?: string;
}

/** The page and its popups. A new popup becomes current by `update`; a tab that closes gives its opener back immediately. */
export class Tabs {
  readonly #main: Page;
  readonly #onOpen: (tab: Tab) => void;
  readonly #open: OpenTab[] = [];
  readonly #stops: (() => void)[] = [];
  /** Since the last update. */
  #opened: OpenTab[] = [];
  #closed: OpenTab[] = [];
  /** Popups that pages have begun to open. */
  #expected = 0;
  #onAttached: () => void = () => undefined;
  #count = 0;
  #current: OpenTab;
  #isStopped = false;

  constructor(page: Page, onOpen: (tab: Tab) => void) {
    this.#main = page;
    this.#onOpen = onOpen;
    this.#current = this.#add(page, undefined);
    page.targets.configure((target) => {
      if (target.kind === 'page' && target.targetId !== page.targetId && !this.#isStopped) this.#adopt(target);
      return [];
    });
    // Popups from before are no one's doing.
    this.#opened = [];
  }

  get all(): readonly Tab[] {
    return this.#open.map((tab) => this.#toTab(tab));
  }

  get current(): Tab {
    return this.#toTab(this.#current);
  }

  get currentPage(): Page {
    return this.#current.page;
  }

  /** Resolves when the URL of the current tab is known. */
  ready(): Promise<void> {
    return this.#current.known;
  }

  isOpen(page: Page): boolean {
    return this.#open.some((tab) => tab.page === page);
  }

  /** The id of a target's tab. */
  idOf({ targetId }: TargetSession): string {
    return (this.#open.find(({ page }) => page.targetId === targetId) ?? this.#current).id;
  }

  /** Waits for popups that the page has begun to open, and makes the newest one current. Returns what has changed since the last update. */
  async update(): Promise<TabChanges> {
    if (this.#expected > 0) {
      const attached = new Promise<void>((resolve) => {
        this.#onAttached = resolve;
      });
      await withTimeout(attached, POPUP_MS);
      this.#expected = 0;
    }
    const [opened, closed] = [this.#opened.at(-1), this.#closed.at(-1)];
    this.#opened = [];
    this.#closed = [];
    if (opened !== undefined && this.#open.includes(opened)) await this.select(opened.id);
    return {
      ...(opened === undefined ? {} : { openedTab: opened.id }),
      ...(closed === undefined ? {} : { closedTab: closed.id }),
    };
  }

  /** Makes an open tab current. */
  async select(id: string): Promise<void> {
    const tab = this.#open.find((one) => one.id === id);
    if (tab === undefined) return;
    this.#current = tab;
    await tab.page.send('Page.bringToFront').catch(() => undefined);
  }

  /** Ends following. */
  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.splice(0)) stop();
  }

  #toTab(tab: OpenTab): Tab {
    return { id: tab.id, page: tab.page, url: tab.url, isCurrent: tab === this.#current };
  }

  #adopt(target: TargetSession): void {
    const tab = this.#add(this.#main.pageOf(target), this.#current);
    this.#opened.push(tab);
    this.#expected = Math.max(0, this.#expected - 1);
    if (this.#expected === 0) this.#onAttached();
    this.#onOpen(this.#toTab(tab));
  }

  #add(page: Page, opener: OpenTab | undefined): OpenTab {
    this.#count += 1;
    const tab: OpenTab = { id: `t${String(this.#count)}`, page, opener, url: 'about:blank', known: Promise.resolve() };
    this.#open.push(tab);
    page.onEnd(() => {
      this.#remove(tab);
    });
    this.#stops.push(
      page.on('Page.frameNavigated', ({ frame: { parentId, url, urlFragment = '' } }) => {
        if (parentId === undefined) tab.url = withoutUserinfo(url + urlFragment);
      }),
      page.on('Page.navigatedWithinDocument', ({ frameId, url }) => {
        if (frameId === page.mainFrameId) tab.url = withoutUserinfo(url);
      }),
      page.on('Page.windowOpen', () => {
        this.#expected += 1;
      }),
    );
    tab.known = readUrl(page).then((known) => {
      // Until then events are the only source.
      if (tab.url === 'about:blank') tab.url = withoutUserinfo(known);
    });
    return tab;
  }

  #remove(tab: OpenTab): void {
    this.#open.splice(this.#open.indexOf(tab), 1);
    this.#closed.push(tab);
    if (this.#current !== tab) return;
    const opener = tab.opener !== undefined && this.#open.includes(tab.opener) ? tab.opener : this.#open.at(-1);
    if (opener === undefined) return;
    this.#current = opener;
    void opener.page.send('Page.bringToFront').catch(() => undefined);
  }
}

/** The current URL. The browser's history may lag behind the document. */
async function readUrl(page: Page): Promise<string> {
  const tree = await page.send('Page.getFrameTree').catch(() => undefined);
  return tree === undefined ? 'about:blank' : tree.frameTree.frame.url + (tree.frameTree.frame.urlFragment ?? '');
}
