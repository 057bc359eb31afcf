import type { Outbound, RenderContext, RenderState } from '@platen/kernel';
import type { Frontier } from '@platen/lib-frontier';
import type { WalkSource } from './keys.js';
import type { Scope } from './url-offers.js';
import type { FirstPage, PageContent } from './visit-page.js';

export interface WalkOptions {
  /** Of the render's own page. */
  readonly context: RenderContext;
  readonly outbound: Outbound;
  readonly frontier: Frontier;
  /** Undefined: the walk ends with its process. */
  readonly state: RenderState | undefined;
  readonly sources: readonly WalkSource[];
  readonly scope: Scope;
  /** The target, which is loaded already. */
  readonly first: FirstPage;
  /** URLs that were not loaded are pages of the walk, too. */
  readonly reportsFailures: boolean;
  readonly read: (context: RenderContext) => Promise<PageContent>;
  readonly concurrency: number;
  readonly delayMs: number;
  readonly maxPages: number;
  readonly maxBytes: number;
  readonly pageTimeoutMs: number;
  readonly bodyLimit: number | undefined;
}
