import type { Readable } from 'node:stream';
import { createSpool, type Spool } from '@platen/lib-spool';
import type { WrittenPage } from '@platen/lib-warc';
import type { LoadState, WalkedPage } from '@platen/plugin-walk';

/** A page that a reader can choose: one line of a list (WACZ 1.1.1, pages.jsonl). */
export interface PageEntry {
  /** That of its records: `WARC-Page-ID`. */
  readonly id: string;
  readonly url: string;
  /** RFC 3339; `WARC-Date` of the page's response. */
  readonly ts: string;
  readonly title?: string;
  readonly mime: string;
  readonly status: number;
  readonly depth: number;
  readonly seed?: true;
  /** As Browsertrix counts: 0 failed, 1 loaded in part, 2 complete. */
  readonly loadState: number;
}

/** The pages of a walk, stored outside of memory. */
export interface PageLists extends AsyncDisposable {
  /** The page to begin with. Undefined until one is listed. */
  readonly main: PageEntry | undefined;
  add(page: PageEntry): void;
  /** By path: those of the seeds, and the others if there are any. To be read once all are added. */
  files(): ReadonlyMap<string, AsyncIterable<Buffer>>;
}

const HEADER = { format: 'json-pages-1.0', hasText: false };

/** @param seed URL of the walk's first page, without a fragment */
export function createPageLists(seed: string): PageLists {
  const spool = createSpool();
  const seeds = openLines(spool);
  const others = openLines(spool);
  let main: PageEntry | undefined;
  let extra = 0;
  seeds.add(JSON.stringify({ ...HEADER, id: 'pages', title: 'Seed pages' }));
  others.add(JSON.stringify({ ...HEADER, id: 'extra-pages', title: 'Other pages' }));
  return {
    get main() {
      return main;
    },
    add(page) {
      if (page.seed && (!main || (main.url !== seed && page.url === seed))) main = page;
      if (!page.seed) extra += 1;
      (page.seed ? seeds : others).add(JSON.stringify(page));
    },
    files() {
      const found = new Map<string, AsyncIterable<Buffer>>([['pages/pages.jsonl', seeds.open()]]);
      return extra === 0 ? found : found.set('pages/extraPages.jsonl', others.open());
    },
    [Symbol.asyncDispose]: () => spool[Symbol.asyncDispose](),
  };
}

const LOAD_STATES: Readonly<Record<LoadState, number>> = { failed: 0, timeout: 1, complete: 2 };

/** Undefined if there is no page to list: a file, or one that never answered. */
export function toPageEntry(page: WalkedPage, { id, shown, startedAt }: WrittenPage): PageEntry | undefined {
  const { url, title, depth, status, mimeType: mime, loadState, isPage } = page;
  if (!isPage || status === undefined) return undefined;
  return {
    id,
    url,
    ts: (shown?.date ?? startedAt).toISOString(),
    ...(title === '' ? {} : { title }),
    mime,
    status,
    depth,
    ...(depth === 0 ? { seed: true } : {}),
    loadState: LOAD_STATES[loadState],
  };
}

/** A text that grows line by line, outside of memory. */
export interface Lines {
  /** @throws Error if the disk is too slow for it, by the spool's own limit */
  add(line: string): void;
  open(): Readable;
}

export function openLines(spool: Spool): Lines {
  const writer = spool.openWriter();
  return {
    add(line) {
      if (!writer.write(Buffer.from(`${line}\n`))) throw new Error('the disk is too slow for the lists of the archive');
    },
    open: () => writer.open(),
  };
}
