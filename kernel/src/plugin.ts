import type { Fragments, InferParams, Rule, Tier } from '@platen/schema';
import type { CoreParams } from './core-params.js';
import type { Outbound } from './egress/outbound.js';
import type { PluginHooks, Scope } from './hooks.js';
import type { Logger } from './logger.js';
import type { AssetDeclaration, CaptureDeclaration, OutputDeclaration } from './output.js';
import type { PlanDraft, PlanView } from './render-plan.js';
import type { ToolDeclaration } from './tools.js';

/** The kernel's version from its package.json. Plugins declare the range of versions they support. */
export const KERNEL_VERSION = '0.1.0';

/** The API of `@platen/server` for plugins that serve; the server adds its members by declaration merging. */
// oxlint-disable-next-line typescript/no-empty-object-type -- filled by the server
export interface ServerApi {}

/** A word of the command line that a plugin adds: `platen license inspect FILE`. It runs without kernel and browser unless it opens a server. */
export interface CommandDeclaration {
  readonly name: string;
  /** Usage after the name: `inspect FILE`. */
  readonly usage: string;
  readonly description: string;
  /** Lines of `platen NAME --help` after the description. */
  readonly help?: string;
  /** Resolves with the exit code. Errors are printed to stderr. */
  run(args: readonly string[], io: CommandIo): Promise<number>;
}

export interface CommandIo {
  readonly stdout: { write(text: string): void };
  readonly stderr: { write(text: string): void };
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /**
   * Starts the server that these flags configure, but it listens nowhere: the command serves its clients itself. It logs to stderr.
   *
   * @throws PlatenError as `platen --server` with these flags
   */
  openServer(args: readonly string[]): Promise<OpenServer>;
}

/** Disposing it stops the server and the browser. */
export interface OpenServer extends AsyncDisposable {
  readonly server: ServerApi;
  /** Aborted when the process is asked to stop. */
  readonly signal: AbortSignal;
}

export interface PluginApi<P, O extends readonly OutputDeclaration[], F> {
  readonly hooks: PluginHooks<P, O>;
  /** The startup flags that the plugin owns. */
  readonly options: InferParams<F>;
  readonly log: Logger;
  /** The only client for the server's own requests; also adds rules for all connections. */
  readonly outbound: Outbound;
  /** All enabled plugins: their declarations and versions. */
  readonly plugins: readonly LoadedPlugin[];
}

/**
 * Everything except `complete`, `plan`, `validatePlan`, `apply`, `prepare`, `serve` and the functions of commands is plain data: a plugin is listed,
 * checked, licensed and documented without running it.
 */
export interface PluginDefinition<
  P extends Fragments = Fragments,
  O extends readonly OutputDeclaration[] = readonly OutputDeclaration[],
  F extends Fragments = Fragments,
  S = unknown,
> {
  readonly name: string;
  /** Lowest tier that may use the plugin's keys and outputs; a single key may differ by `x-tier`. */
  readonly tier?: Tier;
  /** Names of required plugins, which are applied first. */
  readonly requires?: readonly string[];
  readonly captures?: readonly CaptureDeclaration[];
  readonly outputs?: O;
  readonly assets?: readonly AssetDeclaration[];
  readonly params?: P;
  readonly rules?: readonly Rule[];
  readonly flags?: F;
  /** External tools that it searches for on the machine, besides the browser: for reports, and for copying into a trimmed build. */
  readonly tools?: readonly ToolDeclaration[];
  readonly commands?: readonly CommandDeclaration[];
  /** The renders for which `plan` and `validatePlan` run, by the capture kind that the draft has by then. Without it: all. */
  readonly planFor?: Scope;
  /**
   * Pure: returns the parameters that those of the plugin imply, such as a URL that the request omits. Runs if the request sets one of the
   * plugin's, before it is checked that none is missing.
   */
  complete?(params: InferParams<P> & Pick<CoreParams, 'url'>): Readonly<Record<string, unknown>>;
  /** Pure: shapes the plan, and refuses requests that can be refused without a browser, also by the startup flags of the plugin. */
  plan?(draft: PlanDraft<InferParams<P>>, options: InferParams<F>): void;
  /** Pure: refuses requests by the final plan, such as errors that depend on the viewport. */
  validatePlan?(plan: PlanView<InferParams<P>>): void;
  /** Taps the kernel's hooks. Runs once, at boot. Returns the plugin's state for this kernel, if `prepare` or `serve` need it too. */
  apply?(api: PluginApi<InferParams<P>, O, F>): S;
  /**
   * Prepares slow resources, such as fetched lists or a filter engine. Runs once, after every `apply`. No render begins before it is done.
   * An error, or more than 120 s, aborts the startup.
   */
  prepare?(api: PluginApi<InferParams<P>, O, F>, state: S): Promise<void>;
  /** Taps the server's hooks, if there is a server. Runs once, after every `apply`. */
  serve?(server: ServerApi, api: PluginApi<InferParams<P>, O, F>, state: S): void;
}

/** Types a plugin: parameters, options and captures are inferred from its declarations. */
export function definePlugin<
  const P extends Fragments = Record<never, never>,
  const O extends readonly OutputDeclaration[] = readonly [],
  const F extends Fragments = Record<never, never>,
  S = undefined,
>(definition: PluginDefinition<P, O, F, S>): PluginDefinition<P, O, F> {
  return Object.freeze(definition);
}

/** Any plugin, as stored by the kernel. */
export type Plugin = PluginDefinition;

/** A plugin with its package's metadata. */
export interface LoadedPlugin {
  readonly definition: Plugin;
  readonly packageName: string;
  readonly version: string;
  /** Part of the installation: its declarations were checked when that was built. */
  readonly isChecked?: boolean;
}
