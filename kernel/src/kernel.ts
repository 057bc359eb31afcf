import { finished } from 'node:stream/promises';
import { createValidator, mergeSchema, SchemaError, ValidationError, type RequestSchema } from '@platen/schema';
import { createBrowserPool } from './browser/pool.js';
import { CORE_PARAMS, type KernelFlags } from './core-params.js';
import { createEgress } from './egress/index.js';
import { isPlatenError, PlatenError, type ErrorCode } from './errors.js';
import { createHooks, type KernelHooks } from './hooks.js';
import type { Kernel, KernelOptions, LoadedPlugin, RenderResult } from './kernel-contract.js';
import { silentLogger, type Logger } from './logger.js';
import { planRender } from './plan.js';
import type { PluginApi } from './plugin.js';
import { createRegistry, kindsOf, type Registry } from './registry.js';
import { renderWithRetry } from './retry.js';
import { createRunningRenders } from './running-renders.js';
import { createTapFacade } from './tap-facade.js';
import { KERNEL_VERSION } from './version.js';

type Api = PluginApi<never, never, never>;

/** Boots the plugins and owns the browser. Throws a `boot_*` error that names what does not fit. The browser starts with the first render, or with `start`. */
export function createKernel(options: KernelOptions): Kernel {
  const log = options.log ?? silentLogger;
  const flags: KernelFlags & Readonly<Record<string, unknown>> = options.flags ?? {};
  const registry = createRegistry(options.plugins);
  const schema = buildSchema(registry, options);
  const validate = createValidator(schema);
  const hooks = createHooks();
  const apis = new Map(registry.plugins.map((plugin) => [plugin, createApi(plugin, { hooks, flags, log })] as const));
  for (const [{ definition }, api] of apis) booting(definition.name, 'apply', () => definition.apply?.(api));
  checkTaps(registry, hooks);

  const egress = createEgress();
  const pool = createBrowserPool({
    egress,
    log,
    ...(flags['browser-path'] === undefined ? {} : { browserPath: flags['browser-path'] }),
    ...(flags['browser-concurrency'] === undefined ? {} : { capacity: flags['browser-concurrency'] }),
    noSandbox: flags['browser-no-sandbox'] === true,
  });
  const running = createRunningRenders();

  return {
    version: KERNEL_VERSION,
    plugins: registry.plugins,
    schema,
    validate(raw, source) {
      try {
        return validate(raw, source);
      } catch (error) {
        if (!(error instanceof ValidationError)) throw error;
        throw new PlatenError('invalid_parameters', error.message, { errors: error.issues });
      }
    },
    plan: (params) => planRender(params, registry),
    render: (plan, renderOptions = {}) =>
      running.track(renderOptions.signal, (signal) => renderWithRetry({ hooks, pool }, plan, { ...renderOptions, signal }), bodyRead),
    start: () => pool.start(),
    serve(server) {
      for (const [{ definition }, api] of apis) booting(definition.name, 'serve', () => definition.serve?.(server, api));
    },
    status: () => ({ ...pool.status(), inFlight: running.count() }),
    async close(graceMs = 0) {
      await running.drain(graceMs);
      await pool.close();
      await egress[Symbol.asyncDispose]();
    },
  };
}

/** Names the plugin whose `apply` or `serve` fails; either must be done when it returns, since the boot does not wait. */
function booting(plugin: string, verb: 'apply' | 'serve', run: () => unknown): void {
  let answer: unknown;
  try {
    answer = run();
  } catch (cause) {
    if (isPlatenError(cause)) throw cause.from(plugin, verb);
    throw new PlatenError('boot_invalid_plugin', `the plugin "${plugin}" failed in its "${verb}": ${String(cause)}`, { cause, plugin });
  }
  if (!(answer instanceof Promise)) return;
  answer.catch(() => undefined);
  throw new PlatenError('boot_invalid_plugin', `the plugin "${plugin}" has an asynchronous "${verb}": taps must stand when it returns`, {
    plugin,
  });
}

function buildSchema(registry: Registry, { absent = [] }: KernelOptions): RequestSchema {
  try {
    return mergeSchema({
      parts: [
        { owner: 'kernel', params: CORE_PARAMS },
        ...registry.plugins.map(({ definition: { name, tier = 'free', params = {}, rules = [] } }) => ({
          owner: name,
          tier,
          params,
          rules,
        })),
      ],
      outputs: registry.plugins.flatMap(({ definition: { name, tier = 'free', outputs = [] } }) =>
        outputs.map(({ type, aliases = [], endings = [], extension, contentType }) => ({
          type,
          aliases,
          tier,
          owner: name,
          spellings: [extension, ...endings, contentType.split(/[/;]/)[1] ?? extension],
        })),
      ),
      absent: absent.map(({ name, keys, outputs, leftOut = false }) => ({ plugin: name, keys, outputs, leftOut })),
    });
  } catch (error) {
    if (!(error instanceof SchemaError)) throw error;
    throw new PlatenError(BOOT_CODES[error.code], error.message, { cause: error });
  }
}

const BOOT_CODES = {
  duplicate_key: 'boot_duplicate_key',
  duplicate_output: 'boot_duplicate_output',
  invalid_fragment: 'boot_invalid_fragment',
} as const satisfies Record<SchemaError['code'], ErrorCode>;

interface ApiParts {
  readonly hooks: KernelHooks;
  readonly flags: Readonly<Record<string, unknown>>;
  readonly log: Logger;
}

function createApi({ definition }: LoadedPlugin, { hooks, flags, log }: ApiParts): Api {
  const own = Object.entries(definition.flags ?? {}).map(([flag, { default: fallback }]) => [flag, flags[flag] ?? fallback] as const);
  const api = {
    hooks: createTapFacade(hooks, definition.name),
    options: Object.freeze(Object.fromEntries(own.filter(([, value]) => value !== undefined))),
    log: log.child({ plugin: definition.name }),
  };
  // The plugin's types stand on its own fragments, by which its options and parameters were validated.
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

/** A body that streams is part of its render: the client may leave in the middle of it. */
async function bodyRead({ output: { body } }: RenderResult): Promise<void> {
  if (!Buffer.isBuffer(body)) await finished(body, { writable: false });
}
