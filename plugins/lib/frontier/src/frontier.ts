/** A URL to be visited. */
export interface Offer {
  /** Absolute. */
  readonly url: string;
  /** Hops from the seed, 0 for a seed: 0 to 99,999,999. */
  readonly depth: number;
  /** The page that led to it. */
  readonly parent?: string | undefined;
  /** To be fetched without a tab. */
  readonly isFile?: boolean;
  /** As a sitemap gives it: a W3C date and time. */
  readonly lastModified?: string;
}

export interface Claim extends Offer {
  readonly id: string;
  /** How often it was put back: 0 at the first claim. */
  readonly tries: number;
}

export interface Failure {
  /** Not to be claimed again before that moment (epoch milliseconds). */
  readonly after?: number;
  readonly checkpoint?: string | undefined;
}

export interface FrontierCounts {
  /** Not claimed, including those put back for later. */
  readonly queued: number;
  readonly claimed: number;
  readonly done: number;
  readonly failed: number;
}

/** The queue of the URLs of one walk, on disk. Every method may be called while others are in progress: they take effect in turn. */
export interface Frontier extends AsyncDisposable {
  /**
   * Adds URLs that were not offered before, and resolves with how many were new, once they are durable.
   *
   * @throws TypeError if a URL is not absolute.
   */
  offer(offers: readonly Offer[]): Promise<number>;
  /**
   * The next URL whose host may be asked at `now` (epoch milliseconds): lowest depth first, then first in, first out. A number if hosts
   * must be waited for: milliseconds until the next attempt. `undefined` if nothing is queued, or so many are claimed, done or failed
   * (`most`); claimed URLs may still be put back.
   */
  claim(now: number, most?: number): Promise<Claim | number | undefined>;
  /** It is complete and never offered again. Durable when it resolves, together with the checkpoint. */
  done(claim: Claim, checkpoint?: string): Promise<void>;
  /** Puts it back at the end of its depth, or, without `after`, drops it as failed. */
  fail(claim: Claim, failure?: Failure): Promise<void>;
  /** These URLs are complete without having been claimed, and are never offered again. Durable when it resolves, with the checkpoint. */
  archive(urls: readonly string[], checkpoint?: string): Promise<void>;
  /** Whether `archive` was called for it. It may have been queued before. */
  isArchived(url: string): Promise<boolean>;
  /** The last one that was stored: whatever the caller needs to go on from there after a crash. */
  readonly checkpoint: string | undefined;
  /** Least milliseconds between two claims of a host, start to start. `host` as in `URL.host`: without a default port. */
  setDelay(host: string, ms: number): void;
  /** This host was asked without a claim at that moment (epoch milliseconds): its delay begins then. */
  asked(host: string, at: number): void;
  /** No claim of this host before that moment (epoch milliseconds): `Retry-After`. A moment before the last one is ignored. */
  pause(host: string, until: number): void;
  readonly counts: FrontierCounts;
}
