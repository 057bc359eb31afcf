import type { RenderParams, RequestSchema, Source } from '@platen/schema';
import type { PoolStatus } from './browser/pool/contract.js';
import type { OpenState, Progress, ReadLocalFile, ResolveLocalPath } from './context.js';
import type { Logger } from './logger.js';
import type { AssetStore, CollectedAssets, StoredAsset } from './assets/asset-store.js';
import type { Output } from './output.js';
import type { RenderPlan } from './render-plan.js';
import type { DiscoveredPlugin } from './discovery.js';
import type { SelfListener } from './egress/self-listeners.js';
import type { LoadedPlugin, ServerApi } from './plugin.js';

/** Phase durations in milliseconds; a phase that did not happen is absent. */
export type Timings = Readonly<Partial<Record<'queue' | 'open' | 'navigate' | 'wait' | 'capture' | 'encode', number>>>;

export interface RenderResult {
  readonly output: Output;
  readonly assets: CollectedAssets;
  /** Response headers in addition to type and name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timings: Timings;
}

export interface RenderOptions {
  /** Aborted when no client waits for the result any longer. */
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  /** Store of additional assets; default: in memory. The caller publishes or discards them. */
  readonly store?: AssetStore;
  /** Milliseconds that the request has waited for its turn already: they count towards its timeout. */
  readonly waitedMs?: number;
  /** Called at the start of each phase. */
  onPhase?(phase: string): void;
  /** Called for each further page of a render that visits several. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** See `RenderContext.openState`. */
  readonly openState?: OpenState | undefined;
  /** See `RenderContext.readLocalFile`. */
  readonly readLocalFile?: ReadLocalFile | undefined;
  /** See `RenderContext.resolveLocalPath`. */
  readonly resolveLocalPath?: ResolveLocalPath | undefined;
  /**
   * Makes a stored asset of the page at `url` available while the render goes on: see `RenderContext.publishAsset`. Default: publishes it,
   * under its id.
   */
  readonly publishAsset?: ((asset: StoredAsset, url: string, store: AssetStore) => Promise<string>) | undefined;
}

/** A tap that runs for a plan. */
export interface ExplainedTap {
  readonly plugin: string;
  /** Position among the hook's taps: see `Stage`. */
  readonly stage: number;
  /** Path of the file that registers the tap, with its line; of `plan` and `validatePlan` the package. Undefined if unknown. */
  readonly file: string | undefined;
}

export interface ExplainedHook {
  /** With the capture kind or the output type: `encode.png`. */
  readonly name: string;
  readonly taps: readonly ExplainedTap[];
}

export interface Kernel {
  readonly version: string;
  readonly plugins: readonly LoadedPlugin[];
  readonly schema: RequestSchema;
  /** Raw values to parameters; throws `invalid_parameters` listing every error. */
  validate(raw: unknown, source: Source): RenderParams;
  /** Throws a 4xx error for requests that can be refused without a browser. */
  plan(params: RenderParams): RenderPlan;
  /** The hooks of a plan's render, in order, each with the taps that will run. */
  explain(plan: RenderPlan): readonly ExplainedHook[];
  render(plan: RenderPlan, options?: RenderOptions): Promise<RenderResult>;
  /** Registers a listener of this process: renders can no longer connect to it, whatever the spelling of its address. */
  refuse(listener: SelfListener): void;
  /**
   * Waits until every plugin is ready, for 120 s at most. Rejects with a `boot_*` error that names the first plugin that failed, or the
   * plugins that are not ready: then nothing is rendered.
   */
  prepare(): Promise<void>;
  /** Starts the browser and opens pages ahead, so that the first render does not pay for it. Rejects with why it cannot. */
  start(): Promise<void>;
  /** Passes the server to every plugin that serves, in the plugins' order. */
  serve(server: ServerApi): void;
  status(): PoolStatus & { readonly inFlight: number; readonly walks: readonly Progress[] };
  /** Waits for running renders up to the grace, then aborts them; afterwards no process and no file is left. */
  close(graceMs?: number): Promise<void>;
}

export interface KernelOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** Not enabled: named in error texts. */
  readonly absent?: readonly DiscoveredPlugin[];
  /** Values of startup flags, by flag name without leading dashes (`browser-path`). */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly log?: Logger;
  /** Called every 10 s with the plugins that are still being prepared. Default: they are logged. */
  readonly onSlowPlugins?: (plugins: readonly string[]) => void;
}
