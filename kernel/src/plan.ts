import { createHash } from 'node:crypto';
import type { RenderParams } from '@platen/schema';
import { DEFAULT_PROFILE } from './browser/emulation/device-profile.js';
import { CORE_PARAMS, type CoreParams } from './core-params.js';
import { optionsOf } from './boot-plugins.js';
import { type DataUrlFault, faultOfDataUrl } from './data-url.js';
import { attribute } from './plugin-hooks.js';
import { invalidParameter, PlatenError } from './errors.js';
import type { FurtherOutput, OutputDeclaration, OwnedAsset } from './output.js';
import type { Plugin } from './plugin.js';
import { readUrl, withScheme } from './egress/read-url.js';
import { kindsOf, type Registry } from './registry.js';
import type { PlanDraft, RenderPlan } from './render-plan.js';
import { isSwitchedOn } from './scope.js';

/** The parameters, with those that plugins imply from their own: also from `invalid` ones, which are not among the parameters. */
export function completeParams(params: RenderParams, { plugins }: Registry, invalid: ReadonlySet<string>): RenderParams {
  const implied = plugins.flatMap(({ definition: { params: own = {}, complete } }) =>
    complete !== undefined && Object.keys(own).some((key) => params[key] !== undefined || invalid.has(key)) ? [complete(params)] : [],
  );
  return implied.length === 0 ? params : Object.freeze(Object.fromEntries([params, ...implied].flatMap((part) => Object.entries(part))));
}

/** Plans a render from its validated parameters; throws a 400 for requests that can be refused without a browser. */
export function planRender(params: RenderParams & CoreParams, registry: Registry, flags = {}): RenderPlan {
  const url = readTarget(params.url);
  const output = chooseOutput(params.output_type ?? defaultOutput(params, registry), registry);
  const { combining } = registry;
  const assets = registry.assets.flatMap((asset) => planAsset(asset, { params, output, combining }));
  const timeouts = createTimeouts(params);
  const { included, named, ...inclusions } = createInclusions(registry);
  const retries = createRetries();
  const draft: PlanDraft = {
    params,
    url,
    output,
    outputs: [output, ...assets.flatMap(({ further }) => further?.output ?? [])],
    assets,
    captureKind: kindsOf(output)[0] ?? '',
    ...{ included, ...inclusions },
    preset: {},
    profile: {},
    browser: { variant: 'shell', exclusive: false, switches: [] },
    ...timeouts.draft,
    disableRetry: retries.disable,
    refuse(parameter, detail) {
      throw invalidParameter(parameter, detail);
    },
  };
  const scoped = (plugin: Plugin) =>
    registry.planScopes.get(plugin)?.({ params, output, assets, included, capture: { kind: draft.captureKind } });
  askPlugins(registry, 'plan', (definition) => scoped(definition) && definition.plan?.(draft, optionsOf(definition, flags)));
  const profile = { ...DEFAULT_PROFILE, ...draft.preset, ...draft.profile };
  askPlugins(registry, 'validatePlan', (definition) => scoped(definition) && definition.validatePlan?.({ ...draft, profile, combining }));
  const capture = registry.captures.get(draft.captureKind);
  if (capture === undefined) throw new PlatenError('internal', `no plugin captures "${draft.captureKind}"`);
  const others = [...assets.flatMap(({ from = [] }) => from), ...included.map((one) => one.capture.kind)];
  const isScaled = [capture.kind, ...others].some((kind) => registry.captures.get(kind)?.scaled === true);
  return deepFreeze({
    params,
    url: url.href,
    output,
    ...{ capture, assets, included, ...(draft.frozen && { frozen: draft.frozen }) },
    ...timeouts.plan(),
    browser: isScaled ? { ...draft.browser, scaled: true } : draft.browser,
    profile,
    ...{ ...retries.plan(), ...named },
    bringsCode: registry.codeKeys.some((key) => params[key] !== undefined),
    // The key contains the normalized URL. An explicit default differs from an unset key, because a device preset can set it.
    cacheKey: createHash('sha256')
      .update(canonicalJson({ ...params, url: url.href, output_type: output.type }))
      .digest('hex'),
  });
}

interface Asked extends Pick<Registry, 'combining'> {
  readonly params: RenderParams;
  readonly output: OutputDeclaration;
}

/** What a request asks of a declared asset: nothing, the asset, or one for each further output that its key names. */
function planAsset(asset: OwnedAsset, { params, output: main, combining }: Asked): readonly OwnedAsset[] {
  const value = params[asset.key];
  if (!isSwitchedOn(value)) return [];
  if (asset.outputs !== true) return [asset];
  // Its plugin refuses other names.
  const chosen = combining.filter(({ output: { type, aliases = [] } }) => [type, ...aliases].some((name) => [value].flat().includes(name)));
  return chosen.map((further) => {
    const { type: name, extension, endings = [] } = further.output;
    // The files of a page need different names: of an extension that several types have, the longer form is used.
    const form = endings.find((ending) => ending.endsWith(`.${extension}`)) ?? extension;
    return { ...asset, name, from: further.capture.kind, further, extension: form === main.extension ? `${name}.${form}` : form };
  });
}

/** Whether the render may run again after a lost browser. */
function createRetries() {
  let retryable = true;
  let retryableBeforeScript = true;
  return {
    disable(effect: 'load' | 'script' = 'load') {
      retryable = false;
      if (effect === 'load') retryableBeforeScript = false;
    },
    plan: () => ({ retryable, retryableBeforeScript }),
  };
}

/** What the output is made of beside its own capture. */
function createInclusions({ combining }: Registry) {
  const included: FurtherOutput[] = [];
  const named: { namesAssets?: true } = {};
  return {
    ...{ included, named },
    nameAssets() {
      named.namesAssets = true;
    },
    include(type: string) {
      const found = combining.filter(({ output }) => output.type === type).slice(0, 1);
      included.push(...found);
      return found.length > 0;
    },
  };
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
        throw new PlatenError('plugin_failed', `the plugin "${name}" has an asynchronous "${verb}", which must be synchronous`);
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
  base64: 'its data is not valid base64',
};

/**
 * The URL of a page to render. Checks the parsed URL, never the text: the parser strips blanks and folds case.
 *
 * @param key the parameter that gives it
 * @throws PlatenError `invalid_parameters`
 */
export function readTarget(text = '', key = 'url'): URL {
  const url = readUrl(text);
  if (url === undefined || !['http:', 'https:', 'data:'].includes(url.protocol)) throw refusedScheme(text, { url, key });
  const fault = url.protocol === 'data:' ? faultOfDataUrl(url) : undefined;
  if (fault !== undefined) throw invalidParameter(key, `"${key}" is not a data URL that browsers load: ${DATA_URL_FAULTS[fault]}`);
  if (url.href.length > MAX_URL_CHARACTERS) {
    throw invalidParameter(
      key,
      `"${key}" must not be longer than 2 MiB (${String(MAX_URL_CHARACTERS)} characters) after normalization: it has ${String(url.href.length)}`,
    );
  }
  return url;
}

interface Refused {
  readonly url: URL | undefined;
  readonly key: string;
}

/** Only the host of the given URL is repeated: the rest may be long or secret. */
function refusedScheme(text: string, { url, key }: Refused): PlatenError {
  const { href, origin } = readUrl(withScheme(text.trim()) ?? '') ?? {};
  if (origin !== undefined) return invalidParameter(key, `"${key}" needs a scheme: ${origin}/${href === `${origin}/` ? '' : '…'}`);
  if (url === undefined) return invalidParameter(key, `"${key}" must be an absolute http, https or data URL`);
  return invalidParameter(key, `"${key}" must be an http, https or data URL: "${url.protocol}" is not allowed`);
}

/** The output type whose parameter the request sets, or else the usual default. */
function defaultOutput(params: RenderParams, { outputs }: Registry): string {
  const asked = [...outputs.values()].find(({ defaultFor = [] }) => [defaultFor].flat().some((key) => isSwitchedOn(params[key])));
  return asked?.type ?? CORE_PARAMS.output_type.default;
}

function chooseOutput(type: string, { outputs }: Registry): OutputDeclaration {
  const output = outputs.get(type);
  if (output !== undefined) return output;
  throw invalidParameter(
    'output_type',
    `"output_type" is required: its default, "${type}", is not enabled; use one of: ${[...outputs.keys()].join(', ')}`,
  );
}

function createTimeouts({ timeout, no_timeout }: CoreParams): {
  readonly draft: Pick<PlanDraft, 'captureOnTimeout' | 'extendTimeout' | 'limitFirstPage' | 'untimed'>;
  readonly plan: () => Pick<RenderPlan, 'timeoutMs' | 'timesFurtherPages' | 'timesNavigation' | 'firstPageWaitMs' | 'capturesOnTimeout'>;
} {
  let extension = 0;
  let seconds = timeout ?? CORE_PARAMS.timeout.default;
  let timesFurtherPages = true;
  let timesNavigation = true;
  let firstPage: number | undefined;
  let late: Pick<RenderPlan, 'capturesOnTimeout'> = {};
  return {
    draft: {
      captureOnTimeout() {
        late = { capturesOnTimeout: true };
      },
      extendTimeout(more) {
        extension += more;
      },
      limitFirstPage(limit) {
        firstPage = limit ?? firstPage ?? CORE_PARAMS.timeout.default;
        if (timeout !== undefined) return;
        seconds = limit ?? seconds;
        timesFurtherPages = false;
      },
      untimed() {
        timesNavigation = timeout !== undefined;
      },
    },
    plan: () => ({
      timeoutMs: no_timeout === true || seconds === 0 ? null : (seconds + extension) * 1000,
      ...{ timesFurtherPages, timesNavigation, ...late },
      ...(firstPage === undefined ? {} : { firstPageWaitMs: (firstPage * 1000 * 2) / 3 }),
    }),
  };
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
