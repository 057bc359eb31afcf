import { createHash } from 'node:crypto';
import type { RenderParams } from '@platen/schema';
import type { BrowserRequirements, DeviceProfile } from './browser/contract.js';
import { DEFAULT_PROFILE } from './browser/device-profile.js';
import { CORE_PARAMS, type CoreParams } from './core-params.js';
import { type DataUrlFault, faultOfDataUrl } from './data-url.js';
import { attribute } from './plugin-hooks.js';
import { invalidParameter, PlatenError } from './errors.js';
import type { OutputDeclaration } from './output.js';
import type { CaptureDeclaration, Plugin } from './plugin.js';
import { readUrl, withScheme } from './read-url.js';
import { kindsOf, type OwnedAsset, type Registry } from './registry.js';
import { isSwitchedOn } from './scope.js';

/** One render, decided: frozen and JSON-able. */
export interface RenderPlan {
  readonly params: RenderParams;
  /** The target, as serialized by the WHATWG URL parser. */
  readonly url: string;
  readonly output: OutputDeclaration;
  readonly capture: CaptureDeclaration;
  readonly assets: readonly OwnedAsset[];
  /** Milliseconds for the whole render; null: none. */
  readonly timeoutMs: number | null;
  readonly browser: BrowserRequirements;
  readonly profile: DeviceProfile;
  /** False if loading the page again, after the browser was lost, could repeat a side effect. */
  readonly retryable: boolean;
  /** False if loading the page itself has side effects; true if only actions in the loaded page may have them. */
  readonly retryableBeforeScript: boolean;
  /** SHA-256 of the canonical parameters, hex; includes the output type even if the request does not set one. */
  readonly cacheKey: string;
}

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** An unfinished plan, as passed to a plugin's `plan`. */
export interface PlanDraft<P = RenderParams> {
  readonly params: P;
  readonly url: URL;
  readonly output: OutputDeclaration;
  /** The capture kind, one of the output's possible sources. */
  captureKind: string;
  /** Settings of a device preset; `profile` takes precedence. */
  readonly preset: Partial<Mutable<DeviceProfile>>;
  /** Settings of the request itself. */
  readonly profile: Partial<Mutable<DeviceProfile>>;
  readonly browser: Mutable<BrowserRequirements>;
  /** Seconds added to the request's or the default timeout, such as a video's duration. */
  extendTimeout(seconds: number): void;
  /**
   * Disables the retry after a lost browser, since the render may have side effects. `script`: only actions in the loaded page (`waitFor`,
   * from `Stage.early` on) have side effects.
   */
  disableRetry(effect?: 'load' | 'script'): void;
  /** Aborts planning with a 400 that names the parameter. */
  refuse(parameter: string, detail: string): never;
}

/** A plan after all plugins have shaped it: read-only, for validation. */
export interface PlanView<P = RenderParams> extends Readonly<Pick<PlanDraft<P>, 'params' | 'url' | 'output' | 'captureKind' | 'refuse'>> {
  readonly profile: DeviceProfile;
}

/** Plans a render from its validated parameters; throws a 400 for requests that can be refused without a browser. */
export function planRender(params: RenderParams & CoreParams, registry: Registry): RenderPlan {
  const url = parseTarget(params.url);
  const output = chooseOutput(params.output_type ?? CORE_PARAMS.output_type.default, registry);
  let extension = 0;
  let retryable = true;
  let retryableBeforeScript = true;
  const draft: PlanDraft = {
    params,
    url,
    output,
    captureKind: kindsOf(output)[0] ?? '',
    preset: {},
    profile: {},
    browser: { variant: 'shell', exclusive: false, switches: [] },
    extendTimeout(seconds) {
      extension += seconds;
    },
    disableRetry(effect = 'load') {
      retryable = false;
      if (effect === 'load') retryableBeforeScript = false;
    },
    refuse(parameter, detail) {
      throw invalidParameter(parameter, detail);
    },
  };
  const scoped = (plugin: Plugin) => registry.planScopes.get(plugin)?.({ params, output, capture: { kind: draft.captureKind } });
  askPlugins(registry, 'plan', (definition) => scoped(definition) && definition.plan?.(draft));
  const profile = { ...DEFAULT_PROFILE, ...draft.preset, ...draft.profile };
  askPlugins(registry, 'validatePlan', (definition) => scoped(definition) && definition.validatePlan?.({ ...draft, profile }));
  const capture = registry.captures.get(draft.captureKind);
  if (capture === undefined) throw new PlatenError('internal', `no plugin captures "${draft.captureKind}"`);
  return deepFreeze({
    params,
    url: url.href,
    output,
    capture,
    assets: registry.assets.filter(({ key }) => isSwitchedOn(params[key])),
    timeoutMs: timeoutOf(params, extension),
    browser: draft.browser,
    profile,
    retryable,
    retryableBeforeScript,
    // However the target is spelled, `href` is loaded. Other defaults, given explicitly, differ from unset keys, which a device preset
    // fills in.
    cacheKey: createHash('sha256')
      .update(canonicalJson({ ...params, url: url.href, output_type: output.type }))
      .digest('hex'),
  });
}

/**
 * Calls all plugins, requirements first, and reports all wrong parameters in one error. A plugin is skipped if one of its requirements has
 * refused, since it would check missing data.
 */
function askPlugins({ plugins }: Registry, verb: 'plan' | 'validatePlan', ask: (definition: Plugin) => unknown): void {
  const refusals: PlatenError[] = [];
  const unfit = new Set<string>();
  for (const { definition } of plugins) {
    const { name, requires = [] } = definition;
    if (requires.some((required) => unfit.has(required))) {
      unfit.add(name);
      continue;
    }
    try {
      const answer = ask(definition);
      if (answer instanceof Promise) {
        answer.catch(() => undefined);
        throw new PlatenError('plugin_failed', `the plugin "${name}" has an asynchronous "${verb}", and a plan is made at once`);
      }
    } catch (error) {
      const failure = attribute(error, name, verb);
      if (failure.code !== 'invalid_parameters' && refusals.length === 0) throw failure;
      if (failure.code === 'invalid_parameters') refusals.push(failure);
      unfit.add(name);
    }
  }
  const [first, ...others] = refusals;
  if (first === undefined) return;
  if (others.length === 0) throw first;
  throw new PlatenError('invalid_parameters', `${first.message} (and ${String(others.length)} more)`, {
    errors: refusals.flatMap(({ details }) => details.errors ?? []),
  });
}

/** Chromium's own limit for a URL (`kMaxURLChars`), in characters of its serialized form, which is ASCII. */
const MAX_URL_CHARACTERS = 2 * 1024 ** 2;

const DATA_URL_FAULTS: Readonly<Record<DataUrlFault, string>> = {
  no_comma: 'it needs a comma between the media type and the data',
  base64: 'its data is not the base64 that it says it is',
};

/** Checks the parsed URL, never the text: the parser strips blanks and folds case. */
function parseTarget(text = ''): URL {
  const url = readUrl(text);
  if (url === undefined || !['http:', 'https:', 'data:'].includes(url.protocol)) throw refusedScheme(text, url);
  const fault = url.protocol === 'data:' ? faultOfDataUrl(url) : undefined;
  if (fault !== undefined) throw invalidParameter('url', `"url" is no data URL that browsers load: ${DATA_URL_FAULTS[fault]}`);
  if (url.href.length > MAX_URL_CHARACTERS) {
    throw invalidParameter(
      'url',
      `"url" must not be longer than 2 MiB (${String(MAX_URL_CHARACTERS)} characters) as the browser writes it: it has ${String(url.href.length)}`,
    );
  }
  return url;
}

/** Only the host of the given URL is repeated: the rest may be long or secret. */
function refusedScheme(text: string, url: URL | undefined): PlatenError {
  const { href, origin } = readUrl(withScheme(text.trim()) ?? '') ?? {};
  if (origin !== undefined) return invalidParameter('url', `"url" needs a scheme: ${origin}/${href === `${origin}/` ? '' : '…'}`);
  if (url === undefined) return invalidParameter('url', '"url" must be an absolute http, https or data URL');
  return invalidParameter('url', `"url" must be an http, https or data URL: "${url.protocol}" is not allowed`);
}

function chooseOutput(type: string, { outputs }: Registry): OutputDeclaration {
  const output = outputs.get(type);
  if (output !== undefined) return output;
  throw invalidParameter(
    'output_type',
    `"output_type" must be given: its default, "${type}", is not enabled; use one of: ${[...outputs.keys()].join(', ')}`,
  );
}

function timeoutOf({ timeout, no_timeout }: CoreParams, extension: number): number | null {
  if (no_timeout === true || timeout === 0) return null;
  return ((timeout ?? CORE_PARAMS.timeout.default) + extension) * 1000;
}

function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function deepFreeze<T extends object>(value: T): T {
  for (const inner of Object.values(value) as unknown[]) {
    if (typeof inner === 'object' && inner !== null && !Object.isFrozen(inner)) deepFreeze(inner);
  }
  return Object.freeze(value);
}
