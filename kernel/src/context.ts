import type { Readable } from 'node:stream';
import type { RenderParams } from '@platen/schema';
import type { AssetStore } from './assets/asset-store.js';
import type { Clock } from './clock.js';
import type { Tab } from './browser/page/tab.js';
import type { Lease } from './browser/pool/lease.js';
import type { EgressEntry } from './egress/connection-log.js';
import type { Downloads, Page, TargetResponse } from './browser/page/contract.js';
import type { InterceptHub } from './browser/protocol/contract.js';
import type { Logger } from './logger.js';
import type { Asset, EncodedOutput } from './output.js';
import type { RenderPlan } from './render-plan.js';

/** A typed place in a render's context: the only way in which plugins share state. */
export interface ContextKey<T> {
  readonly description: string;
  /** Never there at run time: carries the type. */
  readonly type?: T;
}

export function contextKey<T>(description: string): ContextKey<T> {
  return Object.freeze({ description });
}

/** The archive that a render replays. Set in `beforeOpen` by the plugin that serves it. SHA-256 of its file, hex. */
export const replayedArchive = contextKey<{ readonly sha256: string }>('replayed archive');

/** A parameter, typed for other plugins. Its owner exports the key from `src/keys.ts`. */
export interface ParamKey<T> {
  readonly name: string;
  /** Never there at run time: carries the type. */
  readonly type?: T;
}

/** `paramKey<WaitParams, 'wait_for'>('wait_for')`. */
export function paramKey<P, K extends keyof P & string>(name: K): ParamKey<P[K]> {
  return Object.freeze({ name });
}

/** The value of another plugin's parameter; undefined if the request does not set it, or its owner is not loaded. */
export function readParam<T>(params: object, { name }: ParamKey<T>): T | undefined {
  // The schema of the owner has validated the value.
  return Reflect.get(params, name) as T | undefined;
}

/** Of a file that is fetched without a tab. */
export interface FetchedFileContext {
  /** The page that the file belongs to. */
  readonly referrer: string;
}

/** Where a render keeps its work, so that the same render goes on from there after its process has ended. */
export interface RenderState {
  /** A private folder. */
  readonly folder: string;
  /** Of the output so far; it does not exist at first. */
  readonly file: string;
}

/**
 * Opens the state of a render, or creates it.
 *
 * @param assertUnused called with the folder that an earlier process has left, before anything in it is changed or removed: rejects if a process uses it
 */
export type OpenState = (assertUnused: (folder: string) => Promise<void>) => Promise<RenderState>;

/** Reads a file beside the target by its path, as a URL has it, without a leading slash. Undefined: there is none that pages may have. */
export type ReadLocalFile = (path: string) => Promise<Buffer | undefined>;

/** Resolves a path as its caller wrote it. */
export type ResolveLocalPath = (path: string) => string;

/**
 * Stores an asset that the output itself names, and makes it available while the output is still being made. Resolves with its name for
 * clients: its id, or the path of its file on the command line. Only if the plan says so (`PlanDraft.nameAssets`).
 *
 * @param url of the page that it belongs to: for its file name
 */
export type PublishAsset = (asset: Asset & { readonly body: Buffer | Readable }, url: string) => Promise<string>;

/** The part of a render's context that exists before its page. */
export interface BaseRenderContext<P = RenderParams> {
  /** Set if the plan's URL is a file that is fetched without a tab. */
  readonly file?: FetchedFileContext;
  readonly plan: RenderPlan;
  readonly params: P;
  /** Aborted when the client disconnects or the time is up; its reason is the error to return. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Of what is written into the output: not the time of day if the plan is `frozen`. */
  readonly clock: Clock;
  /** Set if the caller of a long render offers one: a plugin that can go on after an interruption opens it. */
  readonly openState?: OpenState | undefined;
  /** Set if the target is a file of the caller: the page loads others beside it. */
  readonly readLocalFile?: ReadLocalFile | undefined;
  /** Set if parameters may name files of the caller: on the command line. */
  readonly resolveLocalPath?: ResolveLocalPath | undefined;
  /** Finds an asset of an earlier render. */
  readonly findAsset: AssetStore['find'];
  readonly publishAsset: PublishAsset;
  get<T>(key: ContextKey<T>): T | undefined;
  set<T>(key: ContextKey<T>, value: T): void;
  /** Runs once the render is over: its output was read to the end, or it failed, also before its page was open. For releasing resources. */
  onRenderEnd(listener: () => Promise<void>): void;
  /** Sets the current wait reason, which is named in the timeout error. */
  setWaitReason(condition: string): void;
  /**
   * Renders another page first, by the same plan but for these parameters, `url` among them, and without assets. It has a session of its own.
   * For taps of `beforeOpen`: later, renders that hold a slot would wait for each other.
   *
   * @param type an output type that the plan includes (`draft.include`)
   */
  renderOther(type: string, changes: Readonly<Record<string, unknown>> & { readonly url: string }): Promise<EncodedOutput>;
}

/** The part of a render's context that needs no page: everything that an encoder sees. */
export interface EncodeContext<P = RenderParams> extends Omit<
  BaseRenderContext<P>,
  'set' | 'onRenderEnd' | 'findAsset' | 'publishAsset' | 'resolveLocalPath' | 'renderOther'
> {
  /** The moment at which the render's time is up, by performance.now(); Infinity: no limit. */
  readonly deadlineAt: number;
  /** Adds a header to the response. `Server-Timing` adds metrics to those of the phases. */
  setResponseHeader(name: string, value: string): void;
  /** Reports that a streaming capture was read to its end: its session is closed now, not with the output's body. */
  release(): void;
}

/** One page of a render that visits several. */
export interface Visit {
  readonly url: string;
  /** Milliseconds for the visit; null: none. */
  readonly timeoutMs: number | null;
}

/**
 * A tab that visits one page after another. All workers of a render share its browser context: cookies, cache, egress rules. The tab is
 * replaced after 25 visits, a crash or a timeout; the browser context, with its cookies, after its browser was lost.
 */
export interface PageWorker {
  /** Waits for a slot of the pool. The first worker begins with the slot of the render itself. Rejects with the signal's reason. */
  takeSlot(signal: AbortSignal): Promise<void>;
  /** Returns the slot: between two visits too, so that other renders get their turn. */
  releaseSlot(): void;
  /** Of its current tab, with what plugins have stored for it; undefined before its first visit. */
  readonly context: RenderContext | undefined;
  /** Runs `beforeOpen` for a file that is fetched without a tab, with `context.file`. Rejects if a plugin refuses it. */
  check(url: string, file: FetchedFileContext): Promise<void>;
  /**
   * To be called when it has a slot. Loads a page as the render's own page was loaded (`beforeOpen`, `navigate`, `waitFor`, `beforeCapture`; `beforeNavigate` runs once for
   * a tab), and reads it. Rejects with the render's errors: `render_timeout`, `target_status`, `browser_lost` ...
   */
  visit<T>(visit: Visit, look: (context: RenderContext) => Promise<T>): Promise<T>;
  /** Closes its tab. Never rejects. */
  close(): Promise<void>;
}

/** How far a render with several pages, or with a navigator, is. */
export interface Progress {
  /** What is counted. Default: pages. */
  readonly unit?: 'step';
  readonly done: number;
  readonly queued: number;
  readonly failed: number;
  /** Bytes of output so far. */
  readonly bytes: number;
  /** The page that was completed last, or is shown. */
  readonly url: string;
  /** What was done last: one line. */
  readonly note?: string | undefined;
  /** Why that page failed: one line. */
  readonly failure?: string | undefined;
  /** The parameter whose limit has ended the render before it was complete. */
  readonly stopReason?: string | undefined;
}

/** A plugin's view of a running render. */
export interface RenderContext<P = RenderParams> extends EncodeContext<P>, BaseRenderContext<P> {
  /** The page that is captured: the render's own, or the popup that `show` has named. */
  readonly page: Page;
  readonly intercept: InterceptHub;
  readonly egress: { readonly entries: readonly EgressEntry[] };
  /** The main document's response, once `navigate` is over; undefined for `data:` targets. */
  readonly response: TargetResponse | undefined;
  /** Accepts downloads of the render's targets from now on. Until then the browser refuses them. The files are removed with the session. */
  acceptDownloads(): Promise<Downloads>;
  /** The visit that this context belongs to; undefined for the render's own page. */
  readonly visit: Visit | undefined;
  /** 0 for the render's first tab. Further tabs share its cookies and storage: they are not set again. */
  readonly tabIndex: number;
  /** Opens a worker for further pages. The tab of the render itself stays as it is. */
  openWorker(): PageWorker;
  /** Reports how far the render is. */
  progress(progress: Progress): void;
  /** Reports that the content to capture is complete: all waiting for conditions ends. */
  ready(): void;
  /** The page did not load in its time: it is captured as it is. Only for captures with `recordsLoading`, or if the request allows it. */
  readonly isUnready: boolean;
  /** Loads the target, as the kernel does if no plugin navigates; its response is checked. For taps of `navigate`. */
  open(): Promise<void>;
  /** True once a plugin has navigated: loading the target again would lose what it has done. */
  readonly isNavigatedByPlugin: boolean;
  /** Reports that a tap of `interact` is about to lead the page elsewhere: its status is checked now, and it is not loaded again (`isNavigatedByPlugin`). */
  navigated(): void;
  /** Captures another page from now on: a popup, by `page.pageOf`. */
  show(page: Page): void;
  /** Loads the target again; its response is checked like the first one. */
  renavigate(): Promise<void>;
  /** Captures and encodes the page as another output type, one that the plan includes (`draft.include`). The page stays open. */
  renderAs(type: string): Promise<EncodedOutput>;
}

/** A render's context, with methods only for the pipeline. */
export interface PipelineContext {
  readonly context: RenderContext;
  readonly lease: Lease;
  /** The tab of the lease that shows the page. */
  readonly tab: Tab;
  readonly headers: Readonly<Record<string, string>>;
  responded(response: TargetResponse | undefined): void;
  /** Resolves once a plugin has reported that there is nothing more to wait for. */
  readonly readied: Promise<void>;
  /** A tap of `navigate` has returned. */
  navigatedByPlugin(): void;
  readonly isReady: boolean;
  /** The time of loading or of waiting is up. */
  waitedInVain(phase: 'navigate' | 'wait'): void;
  /** Runs the callbacks deferred to the render's end. Never throws. */
  end(): Promise<void>;
  /** Resolves once a plugin has reported that the capture was read to its end. */
  readonly released: Promise<void>;
}
