import { finished } from 'node:stream/promises';
import { createValidator, type RequestSchema, ValidationError } from '@platen/schema';
import { bootPlugins } from './boot-plugins.js';
import { createCertificateDatabase, readAuthorities } from './browser/process/certificate-authorities.js';
import { type BrowserPoolOptions, createBrowserPool } from './browser/pool/pool.js';
import { buildSchema } from './build-schema.js';
import type { KernelFlags } from './core-params.js';
import type { Progress } from './context.js';
import { callOnAbort, createDeadline, untilAborted } from './deadline.js';
import { createEgress } from './egress/index.js';
import { createOutbound } from './egress/outbound.js';
import { createSelfListeners } from './egress/self-listeners.js';
import { drainingError, isPlatenError, PlatenError } from './errors.js';
import { explainPlan } from './explain.js';
import { createHooks } from './hooks.js';
import type { Kernel, KernelOptions, RenderOptions, RenderResult } from './kernel-contract.js';
import { silentLogger } from './logger.js';
import { completeParams, planRender } from './plan.js';
import type { RenderPlan } from './render-plan.js';
import { createRegistry, type Registry } from './registry.js';
import { KERNEL_VERSION } from './plugin.js';
import { createMemoryStore } from './assets/memory-store.js';
import { type PipelineParts, runPipeline } from './pipeline.js';

/**
 * Boots the plugins and owns the browser. Throws a `boot_*` error that names the conflict. The browser starts with the first render, or
 * with `start`.
 */
export function createKernel(options: KernelOptions): Kernel {
  const log = options.log ?? silentLogger;
  const flags: KernelFlags & Readonly<Record<string, unknown>> = options.flags ?? {};
  const registry = createRegistry(options.plugins);
  const schema = buildSchema(registry, options.absent);
  const hooks = createHooks();
  const own = createSelfListeners();
  const authorities = readAuthorities(flags['browser-ca-file'] ?? []);
  const certificates = authorities.length === 0 ? undefined : createCertificateDatabase(authorities);
  const lists = { guards: [own.filterAddress], addressFilters: [], hostFilters: [], allowRules: [], upstreams: [] };
  const rules: Parameters<typeof createOutbound>[0] = { ...lists, authorities, userAgent: `Platen/${KERNEL_VERSION}` };
  const booted = bootPlugins(registry, { hooks, flags, log, outbound: createOutbound(rules), onSlow: options.onSlowPlugins });

  const egress = createEgress(rules, own);
  const pool = createBrowserPool({ egress, log, certificates, ...browserOptions(flags) });
  const prepare = async (): Promise<void> => {
    await Promise.all([booted.prepare(), certificates?.prepare()]);
  };
  const running = createRunningRenders();

  return {
    version: KERNEL_VERSION,
    plugins: registry.plugins,
    schema,
    validate: createValidate(schema, registry),
    plan: (params) => planRender(params, registry, flags),
    explain: (plan) => explainPlan(plan, registry, hooks),
    refuse: own.add,
    render: (plan, renderOptions = {}) =>
      running.track(
        renderOptions.signal,
        async (signal, report) => {
          await ready(prepare(), signal);
          return renderWithRetry({ hooks, pool }, plan, { ...renderOptions, onProgress: both(report, renderOptions.onProgress), signal });
        },
        bodyRead,
      ),
    prepare,
    start: () => pool.start(),
    serve: (server) => booted.serve(server),
    status: () => ({ ...pool.status(), inFlight: running.count(), walks: running.progress() }),
    async close(graceMs = 0) {
      await running.drain(graceMs);
      booted.leave(drainingError());
      await pool.close();
      await egress[Symbol.asyncDispose]();
    },
  };
}

function browserOptions(flags: KernelFlags): Pick<BrowserPoolOptions, 'browserPath' | 'capacity' | 'noSandbox'> {
  return {
    ...(flags['browser-path'] === undefined ? {} : { browserPath: flags['browser-path'] }),
    ...(flags['browser-concurrency'] === undefined ? {} : { capacity: flags['browser-concurrency'] }),
    noSandbox: flags['browser-no-sandbox'] === true,
  };
}

function createValidate(schema: RequestSchema, registry: Registry): Kernel['validate'] {
  const validate = createValidator(schema, (params, invalid) => completeParams(params, registry, invalid));
  return (raw, source) => {
    try {
      return validate(raw, source);
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      throw new PlatenError('invalid_parameters', error.message, { errors: error.issues });
    }
  };
}

/** If the client disconnects meanwhile, the render's own deadline handles it. */
async function ready(prepared: Promise<void>, signal: AbortSignal): Promise<void> {
  await untilAborted(prepared, signal).catch((error: unknown) => {
    if (!signal.aborted) throw error;
  });
}

function both(report: (progress: Progress) => void, tell: RenderOptions['onProgress']): (progress: Progress) => void {
  return (progress) => {
    report(progress);
    tell?.(progress);
  };
}

/** A streaming body is part of its render: the client may disconnect while it is sent. */
async function bodyRead({ output: { body } }: RenderResult): Promise<void> {
  if (!Buffer.isBuffer(body)) await finished(body, { writable: false });
}

/** Why a render is retried: its browser died, or its page needs one of another kind. Neither happens to it twice. */
type Reason = 'lost' | 'unfit';

/**
 * Renders by the plan. If the browser died, or a tap reports that the page needs another browser (`browser_lost` with `retryWith`), the
 * render is retried within its own time, unless its plan forbids that. After a lost browser the retry gets a dedicated browser. If only
 * actions in the loaded page have side effects, such a tap reports before any action runs.
 */
async function renderWithRetry(
  parts: Pick<PipelineParts, 'hooks' | 'pool'>,
  plan: RenderPlan,
  options: RenderOptions,
): Promise<RenderResult> {
  const { log = silentLogger, store = createMemoryStore(), signal, onPhase, onProgress, waitedMs, ...others } = options;
  const deadline = createDeadline({ timeoutMs: plan.timeoutMs, startsLater: !plan.timesNavigation, spentMs: waitedMs, signal, onPhase });
  try {
    return await tryRender({ ...parts, ...others, deadline, store, log, onProgress }, plan, []);
  } catch (error) {
    deadline[Symbol.dispose]();
    throw error;
  }
}

async function tryRender(pipeline: PipelineParts, plan: RenderPlan, before: readonly Reason[]): Promise<RenderResult> {
  try {
    return await runPipeline(pipeline, plan);
  } catch (error) {
    if (!isPlatenError(error) || error.code !== 'browser_lost') throw error;
    if (error.retryWith === undefined ? !plan.retryable : !plan.retryableBeforeScript) throw error;
    const reason = error.retryWith === undefined ? 'lost' : 'unfit';
    if (before.includes(reason)) throw error;
    if (reason === 'lost') pipeline.log.warn({ err: error.cause }, 'the browser was lost: the render is retried once');
    else pipeline.log.info({ reason: error.message }, 'the render is retried once in another browser');
    // A render that crashed its browser may do so again: the retry has a dedicated browser, so that it cannot affect other renders.
    const browser = error.retryWith ?? Object.freeze({ ...plan.browser, exclusive: true });
    return tryRender(pipeline, Object.freeze({ ...plan, browser }), [...before, reason]);
  }
}

/** The renders in progress: closing waits for them, and then cancels them. */
interface RunningRenders {
  count(): number;
  /** Of those that have reported some. */
  progress(): readonly Progress[];
  /** Runs a render with a signal that follows the given signal and the kernel's end, until its result is `over`. */
  track<T>(
    signal: AbortSignal | undefined,
    render: (signal: AbortSignal, report: (progress: Progress) => void) => Promise<T>,
    over: (result: T) => Promise<void>,
  ): Promise<T>;
  /** Refuses new renders, waits for the running ones up to the grace, then aborts them. */
  drain(graceMs: number): Promise<void>;
}

function createRunningRenders(): RunningRenders {
  const renders = new Map<AbortController, Promise<unknown>>();
  const reports = new Map<AbortController, Progress>();
  let draining = false;
  return {
    count: () => renders.size,
    progress: () => [...reports.values()],
    async track(signal, render, over) {
      if (draining) throw drainingError();
      // Not AbortSignal.any: sources with the server's lifetime would retain every render's signal.
      const controller = new AbortController();
      const follow = () => {
        controller.abort(signal?.reason);
      };
      const unfollow = signal && callOnAbort(signal, follow);
      const rendering = render(controller.signal, (progress) => reports.set(controller, progress));
      const ended = rendering
        .then(over)
        .catch(() => undefined)
        .finally(() => {
          unfollow?.();
          renders.delete(controller);
          reports.delete(controller);
        });
      renders.set(controller, ended);
      return rendering;
    },
    async drain(graceMs) {
      draining = true;
      const timer = setTimeout(() => {
        for (const controller of renders.keys()) controller.abort(drainingError());
      }, graceMs);
      await Promise.allSettled(renders.values());
      clearTimeout(timer);
    },
  };
}
