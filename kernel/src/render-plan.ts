import type { RenderParams } from '@platen/schema';
import type { DeviceProfile } from './browser/emulation/contract.js';
import type { BrowserRequirements } from './browser/process/contract.js';
import type { FrozenTime } from './clock.js';
import type { CaptureDeclaration, FurtherOutput, OutputDeclaration, OwnedAsset } from './output.js';

/** The plan of one render: frozen, serializable as JSON. */
export interface RenderPlan {
  readonly params: RenderParams;
  /** The target, as serialized by the WHATWG URL parser. */
  readonly url: string;
  readonly output: OutputDeclaration;
  readonly capture: CaptureDeclaration;
  readonly assets: readonly OwnedAsset[];
  /** Output types that parts of the output are made by, with the first capture kind of each. */
  readonly included: readonly FurtherOutput[];
  /** Milliseconds for the whole render, or for its first page (`timesFurtherPages`); null: none. */
  readonly timeoutMs: number | null;
  /** False: the timeout ends with the capture of the first page, since further pages with timeouts of their own follow. */
  readonly timesFurtherPages: boolean;
  /** Milliseconds that the first of several pages may take to load, if it is recorded as it is then. */
  readonly firstPageWaitMs?: number;
  /** False: the timeout begins once `navigate` is over. */
  readonly timesNavigation: boolean;
  readonly browser: BrowserRequirements;
  readonly profile: DeviceProfile;
  /** Dates and ids in the output are those of this time. */
  readonly frozen?: FrozenTime;
  /** False if loading the page again, after the browser was lost, could repeat a side effect. */
  readonly retryable: boolean;
  /** False if loading the page itself has side effects; true if only actions in the loaded page may have them. */
  readonly retryableBeforeScript: boolean;
  /** The request brings code or styles of its own into pages (`x-code`). */
  readonly bringsCode: boolean;
  /** True: a page that did not load in time is captured as it is, and the rest has a few seconds more. */
  readonly capturesOnTimeout?: true;
  /** The output names assets that are published while it is made: it cannot be cached, or sent to another server. */
  readonly namesAssets?: true;
  /** SHA-256 of the canonical parameters, hex; includes the output type even if the request does not set one. */
  readonly cacheKey: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An unfinished plan, as passed to a plugin's `plan`. */
export interface PlanDraft<P = RenderParams> {
  readonly params: P;
  readonly url: URL;
  readonly output: OutputDeclaration;
  /** The output, and the further ones of the same page. */
  readonly outputs: readonly OutputDeclaration[];
  readonly assets: readonly OwnedAsset[];
  /** The capture kind, one of the output's possible sources. */
  captureKind: string;
  /** Settings of a device preset; `profile` takes precedence. */
  readonly preset: Partial<Mutable<DeviceProfile>>;
  /** Settings of the request itself. */
  readonly profile: Partial<Mutable<DeviceProfile>>;
  readonly browser: Mutable<BrowserRequirements>;
  /** See `RenderPlan`. */
  frozen?: FrozenTime;
  /** Seconds added to the request's or the default timeout, such as a video's duration. */
  extendTimeout(seconds: number): void;
  /**
   * The render visits more than one page: unless the request sets `timeout`, these seconds limit its first page, and nothing limits the
   * whole. Default: the usual timeout.
   */
  limitFirstPage(seconds?: number): void;
  /** Unless the request sets `timeout`, the time begins once `navigate` is over: the plugin limits its steps by itself. */
  untimed(): void;
  /** A page that has not loaded, or does not meet its condition, when the time is up is captured as it is then. */
  captureOnTimeout(): void;
  /**
   * Disables the retry after a lost browser, since the render may have side effects. `script`: only actions in the loaded page (`waitFor`,
   * from `Stage.early` on) have side effects.
   */
  disableRetry(effect?: 'load' | 'script'): void;
  /** Plans that `context.renderAs` is called with this output type. False: it is not enabled. To be called by `plan`. */
  include(type: string): boolean;
  /** So far. */
  readonly included: readonly FurtherOutput[];
  /** The output names assets that it publishes by `context.publishAsset`. */
  nameAssets(): void;
  /** Aborts planning with a 400 that names the parameter. */
  refuse(parameter: string, detail: string): never;
}

/** A plan after all plugins have shaped it: read-only, for validation. */
export interface PlanView<P = RenderParams> extends Readonly<
  Pick<PlanDraft<P>, 'params' | 'url' | 'output' | 'outputs' | 'included' | 'assets' | 'captureKind' | 'refuse'>
> {
  readonly profile: DeviceProfile;
  /** The output types that combine with others of the same page. */
  readonly combining: readonly FurtherOutput[];
}
