import type { RenderParams } from '@platen/schema';
import type { BrowserNeeds, DeviceProfile } from './browser/contract.js';
import type { AssetDeclaration, OutputDeclaration } from './output.js';
import type { CaptureDeclaration } from './plugin.js';

/** One render, decided: frozen and JSON-able. */
export interface RenderPlan {
  readonly params: RenderParams;
  readonly url: string;
  readonly output: OutputDeclaration;
  readonly capture: CaptureDeclaration;
  readonly assets: readonly AssetDeclaration[];
  /** Milliseconds for the whole render; null: none. */
  readonly timeoutMs: number | null;
  readonly browser: BrowserNeeds;
  readonly profile: DeviceProfile;
  /** SHA-256 of the canonical parameters, hex. */
  readonly cacheKey: string;
}

/** A plan in the making, as a plugin's `plan` sees it. */
export interface PlanDraft<P = RenderParams> {
  readonly params: P;
  readonly url: URL;
  readonly output: OutputDeclaration;
  /** What a device preset says; yields to `profile`. */
  readonly preset: { -readonly [K in keyof DeviceProfile]?: DeviceProfile[K] };
  /** What the request says itself. */
  readonly profile: { -readonly [K in keyof DeviceProfile]?: DeviceProfile[K] };
  readonly browser: { -readonly [K in keyof BrowserNeeds]: BrowserNeeds[K] };
  /** Seconds added to the default timeout: a film's duration. */
  extendTimeout(seconds: number): void;
  /** Ends the planning with a 400 that names the parameter. */
  refuse(parameter: string, detail: string): never;
}
