import type { RenderParams, RequestSchema, Source } from '@platen/schema';
import type { PoolStatus } from './browser/contract.js';
import type { Logger } from './logger.js';
import type { AssetStore } from './assets/asset-store.js';
import type { CollectedAssets } from './assets/render-asset-store.js';
import type { Output } from './output.js';
import type { RenderPlan } from './plan.js';
import type { DiscoveredPlugin } from './discovery.js';
import type { SelfListener } from './egress/self-listeners.js';
import type { Plugin, ServerApi } from './plugin.js';

/** A plugin with what its package says of it. */
export interface LoadedPlugin {
  readonly definition: Plugin;
  readonly packageName: string;
  readonly version: string;
}

/** Phase durations in milliseconds; a phase that did not happen is absent. */
export type Timings = Readonly<Partial<Record<'queue' | 'open' | 'navigate' | 'wait' | 'capture' | 'encode', number>>>;

export interface RenderResult {
  readonly output: Output;
  readonly assets: CollectedAssets;
  /** Headers that the answer carries besides its type and name. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timings: Timings;
}

export interface RenderOptions {
  /** Aborted when nobody waits for the result any more. */
  readonly signal?: AbortSignal;
  readonly log?: Logger;
  /** Where additional assets go; in memory unless given. They are published, or discarded, by the caller. */
  readonly store?: AssetStore;
  /** Milliseconds that the request has waited for its turn already: they count towards its timeout. */
  readonly waitedMs?: number;
  /** Told as each phase begins. */
  onPhase?(phase: string): void;
}

export interface Kernel {
  readonly version: string;
  readonly plugins: readonly LoadedPlugin[];
  readonly schema: RequestSchema;
  /** Raw values to parameters; throws `invalid_parameters` listing every fault. */
  validate(raw: unknown, source: Source): RenderParams;
  /** Throws a 4xx error for what can be refused without a browser. */
  plan(params: RenderParams): RenderPlan;
  render(plan: RenderPlan, options?: RenderOptions): Promise<RenderResult>;
  /** Tells of a listener of this process: from now on no render reaches it, whichever way its address is spelled. */
  refuse(listener: SelfListener): void;
  /**
   * Waits until every plugin is ready, for 120 s at most. Rejects with the `boot_*` error that names the first which cannot be, or those
   * which are not: then nothing is rendered.
   */
  prepare(): Promise<void>;
  /** Starts the browser and opens pages ahead, so that the first render does not pay for it. Rejects with why it cannot. */
  start(): Promise<void>;
  /** Hands the server to every plugin that serves, in the plugins' order. */
  serve(server: ServerApi): void;
  status(): PoolStatus & { readonly inFlight: number };
  /** Waits for running renders up to the grace, then aborts them; afterwards no process and no file is left. */
  close(graceMs?: number): Promise<void>;
}

export interface KernelOptions {
  readonly plugins: readonly LoadedPlugin[];
  /** Not enabled: named in error texts. */
  readonly absent?: readonly DiscoveredPlugin[];
  /** Values of start-up flags, by flag name without dashes in front (`browser-path`). */
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly log?: Logger;
  /** Told every 10 s which plugins are still being prepared; unless given, the log is. */
  readonly onSlowPlugins?: (plugins: readonly string[]) => void;
}
