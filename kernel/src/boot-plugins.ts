import { isPlatenError, PlatenError } from './errors.js';
import type { Outbound } from './egress/outbound.js';
import type { KernelHooks } from './hooks.js';
import type { Logger } from './logger.js';
import type { LoadedPlugin, Plugin, PluginApi, ServerApi } from './plugin.js';
import { kindsOf, type Registry } from './registry.js';
import { createPluginHooks } from './plugin-hooks.js';
import { untilAborted } from './deadline.js';

/** Timeout for all plugins together, in milliseconds: longer than the timeout of a plugin's list downloads (60 s). */
const LIMIT_MS = 120_000;

/** Interval in milliseconds for reporting plugins that are not ready yet. */
const NOTICE_MS = 10_000;

type Api = PluginApi<never, never, never>;

export interface BootedPlugins {
  /** Resolves when every plugin is ready; the same promise for all callers. */
  prepare(): Promise<void>;
  /** Callers waiting for the plugins get this reason instead. */
  leave(reason: Error): void;
  serve(server: ServerApi): void;
}

/** Lets every plugin tap the hooks, in their order. Throws a `boot_*` error that names the plugin that fails or lacks a tap. */
export function bootPlugins(registry: Registry, parts: ApiParts): BootedPlugins {
  const booted = registry.plugins.map((plugin) => applyPlugin(plugin, createApi(plugin, { ...parts, plugins: registry.plugins })));
  checkTaps(registry, parts.hooks);
  let prepared: Promise<void> | undefined;
  const leaving = new AbortController();
  const logSlow = (plugins: readonly string[]) => {
    parts.log.warn({ plugins }, 'plugins are still being prepared');
  };
  return {
    prepare: () => (prepared ??= preparePlugins(preparationsOf(booted), { onSlow: parts.onSlow ?? logSlow, signal: leaving.signal })),
    leave(reason) {
      leaving.abort(reason);
    },
    serve(server) {
      for (const { definition, api, state } of booted) booting(definition.name, 'serve', () => definition.serve?.(server, api, state));
    },
  };
}

/** A plugin that has tapped the hooks. */
interface Booted extends Pick<LoadedPlugin, 'definition'> {
  readonly api: Api;
  /** What its `apply` has returned. */
  readonly state: unknown;
}

function applyPlugin({ definition }: LoadedPlugin, api: Api): Booted {
  return { definition, api, state: booting(definition.name, 'apply', () => definition.apply?.(api)) };
}

function preparationsOf(booted: readonly Booted[]): readonly Preparation[] {
  return booted.map(({ definition, api, state }) => ({
    plugin: definition.name,
    run: async () => {
      try {
        await definition.prepare?.(api, state);
      } catch (error) {
        throw bootFault(error, definition.name, 'prepare');
      }
    },
  }));
}

/** Names the plugin whose `apply` or `serve` fails; both must finish before they return, since the boot does not wait. */
function booting(plugin: string, verb: 'apply' | 'serve', run: () => unknown): unknown {
  let answer: unknown;
  try {
    answer = run();
  } catch (cause) {
    throw bootFault(cause, plugin, verb);
  }
  if (!(answer instanceof Promise)) return answer;
  answer.catch(() => undefined);
  throw new PlatenError('boot_invalid_plugin', `the plugin "${plugin}" has an asynchronous "${verb}": it must be done when it returns`, {
    plugin,
  });
}

function bootFault(cause: unknown, plugin: string, verb: string): PlatenError {
  if (isPlatenError(cause)) return cause.withOrigin(plugin, verb);
  return new PlatenError(
    'boot_invalid_plugin',
    `the plugin "${plugin}" failed in its "${verb}": ${String(cause)}; --disable-plugins ${plugin} starts without it`,
    {
      cause,
      plugin,
    },
  );
}

interface ApiParts {
  /** Called every 10 s with the plugins that are not ready yet. Default: they are logged. */
  readonly onSlow?: ((plugins: readonly string[]) => void) | undefined;
  readonly hooks: KernelHooks;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly log: Logger;
  readonly outbound: Outbound;
}

/** The startup flags that a plugin owns, with their defaults. */
export function optionsOf({ flags: own = {} }: Pick<Plugin, 'flags'>, flags: ApiParts['flags']): ApiParts['flags'] {
  const values = Object.entries(own).map(([flag, { default: fallback }]) => [flag, flags[flag] ?? fallback] as const);
  return Object.freeze(Object.fromEntries(values.filter(([, value]) => value !== undefined)));
}

function createApi({ definition }: LoadedPlugin, { hooks, flags, log, outbound, plugins }: ApiParts & Pick<Registry, 'plugins'>): Api {
  const api = {
    hooks: createPluginHooks(hooks, definition),
    options: optionsOf(definition, flags),
    log: log.child({ plugin: definition.name }),
    ...{ outbound, plugins },
  };
  // The plugin's types are derived from its own fragments, which validated its options and parameters.
  return api as unknown as Api;
}

/** Declarations are data and taps are code: an output type whose plugins forgot one of them would fail at its first request. */
function checkTaps({ outputs }: Registry, hooks: KernelHooks): void {
  for (const output of outputs.values()) {
    const { type } = output;
    const untapped = kindsOf(output).find((kind) => hooks.capture.get(kind)?.isUsed() !== true);
    if (untapped !== undefined) {
      throw new PlatenError('boot_missing_capture', `output type "${type}" needs the capture kind "${untapped}", which no plugin taps`);
    }
    if (hooks.encode.get(type)?.isUsed() !== true) {
      throw new PlatenError('boot_missing_encode', `output type "${type}" has no encoder: its plugin must tap the hook "encode" for it`);
    }
  }
}

/** A plugin with a `prepare` function. */
interface Preparation {
  readonly plugin: string;
  run(): Promise<void>;
}

interface PrepareOptions {
  /** Called every 10 s with the plugins that are not ready yet. */
  readonly onSlow: (plugins: readonly string[]) => void;
  /** Aborted when no caller waits any longer. */
  readonly signal: AbortSignal;
}

/**
 * Prepares all plugins concurrently; a plugin without preparation costs nothing. Rejects with the first failure, and after 120 s with
 * `boot_invalid_plugin`, which names the plugins that are not ready; the time is counted by a timer that keeps the process alive.
 */
async function preparePlugins(preparations: readonly Preparation[], { onSlow, signal }: PrepareOptions): Promise<void> {
  const left = new Set(preparations.map(({ plugin }) => plugin));
  const expired = new AbortController();
  const notice = setInterval(() => {
    onSlow([...left]);
  }, NOTICE_MS);
  const limit = setTimeout(() => {
    const names = [...left].join(', ');
    expired.abort(new PlatenError('boot_invalid_plugin', `plugins not ready within ${String(LIMIT_MS / 1000)} s of "prepare": ${names}`));
  }, LIMIT_MS);
  const all = preparations.map(async ({ plugin, run }) => {
    await run();
    left.delete(plugin);
  });
  try {
    await untilAborted(Promise.all(all), AbortSignal.any([signal, expired.signal]));
  } finally {
    clearInterval(notice);
    clearTimeout(limit);
  }
}
