import type { ArchivedExchange } from '@platen/lib-warc';
import type { ExchangeRecord } from '@platen/plugin-network';

/** `complete` · `timeout`: the page exceeded `crawl_page_timeout` · `failed`: it did not load, or returned an error status. */
export type LoadState = 'complete' | 'timeout' | 'failed';

/** A page that a walk visited, or a file that it fetched without a tab. */
export interface WalkedPage {
  /** As requested, without a fragment. */
  readonly url: string;
  /** Hops from the seed; 0 for a seed. */
  readonly depth: number;
  /** The page whose link led to it. */
  readonly parent?: string | undefined;
  readonly startedAt: Date;
  readonly title: string;
  /** Undefined without a response. */
  readonly status: number | undefined;
  readonly mimeType: string;
  readonly loadState: LoadState;
  /** False for robots.txt, sitemaps and media: they are archived, but are no pages. True for files that links lead to. */
  readonly isPage: boolean;
  /** Text for the log and the archive if the page failed. */
  readonly error?: string;
  /** The result of `WalkSources.readPages`; undefined for a file, and for a page that was not loaded. */
  readonly data?: unknown;
  /** In the order of their requests. To be read before the next page is requested from the walk. */
  exchanges(): AsyncIterable<ArchivedExchange>;
}

/** Why a walk ended before its queue was empty. */
export type StopReason = 'crawl_max_links' | 'archive_spill_max_bytes';

export interface WalkSummary {
  readonly done: number;
  readonly failed: number;
  /** Undefined: every URL in scope was visited. */
  readonly stopReason: StopReason | undefined;
}

/** A walk that can go on after its process has ended, if its archive can. */
export interface StoredWalk {
  /** The archive so far. */
  readonly file: string;
  /** The state of the archive's writer. */
  readonly journal: string;
  /** The last one that was committed; undefined: the archive begins. */
  readonly checkpoint: string | undefined;
  /** To be called when a page is durable, before the next is requested: the page is then not visited again. */
  commit(checkpoint: string): void;
}

/** The pages of one render: one, or those of a crawl. */
export interface Walk {
  /** The URL of the first page. */
  readonly seed: string;
  readonly startedAt: Date;
  readonly browser: ExchangeRecord['browser'];
  /** In the order in which they were completed; can be read once. Rejects if the render ends. */
  pages(): AsyncIterable<WalkedPage>;
  /** Reports bytes written to the archive, so that `archive_spill_max_bytes` ends the walk. */
  wrote(bytes: number): void;
  /** Undefined: the archive is a stream. */
  readonly stored?: StoredWalk | undefined;
  /** Final once `pages` has ended. */
  readonly summary: WalkSummary;
}

declare module '@platen/kernel' {
  interface CaptureKinds {
    walk: Walk;
  }
}
