import { contextKey, type PlanDraft, type RenderContext } from '@platen/kernel';
import type { ArchivedExchange } from '@platen/lib-warc';
import type { Walk } from './walk.js';

/** A file fetched without a tab, with the cookies of the walk. Its body arrives while it is read. */
export interface FetchedFile extends AsyncDisposable {
  /** After redirects. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string | undefined;
  /** Its body, to be read once; the bytes read are stored. */
  open(): AsyncIterable<Buffer>;
  /** Ends the reading that `open` has begun, or stores all of the body. */
  finish(): Promise<void>;
  /** Each hop of a redirect, and the file, once it is finished; their bodies are deleted when the file is disposed of. */
  exchanges(): readonly ArchivedExchange[];
}

export interface SourceContext {
  /**
   * Fetches a file. The part that was read is archived when the file is disposed of. Its body ends early if the walk reaches a limit.
   * Undefined: the walk may fetch no more of them (the larger of 100 and `crawl_max_links`, with the target), which is its stop reason.
   * Rejects if robots.txt or a rule of the server refuses it.
   */
  fetchFile(url: string): Promise<FetchedFile | undefined>;
  /** Reports a list of which not all is read. */
  skipped(url: string, reason: string): void;
  readonly signal: AbortSignal;
}

/** Adds URLs to a walk: links of its pages, or a list. */
export interface WalkSource {
  /** The URLs to visit in place of the target itself, with their depth. */
  seeds?(source: SourceContext): AsyncIterable<string>;
  /** The URLs to visit after a page, as they are in the page. */
  find?(context: RenderContext): Promise<readonly string[]>;
  /** Hops from the seed to follow; default: any number. */
  readonly maxDepth?: number | undefined;
  /** URLs of other registrable domains than the target's are not visited. */
  readonly staysInScope: boolean;
}

/** The sources of a render's walk. */
export interface WalkSources {
  /** To be called in `beforeNavigate` or `navigate` of the render itself. */
  add(source: WalkSource): void;
  /**
   * Reads each page once it is ready, its target too. Then no bodies are recorded, and URLs that were not loaded are pages of the walk, too,
   * with their error. To be called in `beforeOpen`.
   */
  readPages(read: (context: RenderContext) => Promise<unknown>): void;
  readonly readsPages: boolean;
  /** Archives every page to which a plugin navigated from the target, not only the final one. */
  includeNavigation(): void;
  /** Fetches the target itself, instead of loading it. The part that was read becomes an entry of the archive. */
  fetchTarget(context: RenderContext): Promise<FetchedFile>;
  /** Whether more is visited or fetched than the target. */
  readonly isWalk: boolean;
  /** Ends the recording of the loaded target, and begins the walk. For assets; outputs have the capture. */
  open(context: RenderContext): Promise<Walk>;
}

/** Set before the page of every render that archives pages. */
export const walkKey = contextKey<WalkSources>('walk: sources');

/** Whether a planned render archives pages: its output is made of them, or an asset beside another one. */
export function archivesPages({ captureKind, assets }: Pick<PlanDraft, 'captureKind' | 'assets'>): boolean {
  return captureKind === 'walk' || assets.some(({ from }) => from === 'walk');
}
