import { finished } from 'node:stream/promises';
import { createValidator, ValidationError, type RequestSchema } from '@platen/schema';
import { bootPlugins } from './boot-plugins.js';
import { createCertificateDatabase, readAuthorities } from './browser/certificate-authorities.js';
import { createBrowserPool, type BrowserPoolOptions } from './browser/pool.js';
import { buildSchema } from './build-schema.js';
import type { KernelFlags } from './core-params.js';
import { untilAborted } from './deadline.js';
import { createEgress } from './egress/index.js';
import { createOutbound } from './egress/outbound.js';
import { createSelfListeners } from './egress/self-listeners.js';
import { PlatenError } from './errors.js';
import { createHooks } from './hooks.js';
import type { Kernel, KernelOptions, RenderResult } from './kernel-contract.js';
import { silentLogger } from './logger.js';
import { planRender } from './plan.js';
import { createRegistry } from './registry.js';
import { renderWithRetry } from './retry.js';
import { createRunningRenders, drainingError } from './running-renders.js';
import { KERNEL_VERSION } from './version.js';

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
  const lists = { guards: [own.filterAddress], addressFilters: [], hostFilters: [], allowRules: [] };
  const rules: Parameters<typeof createOutbound>[0] = { ...lists, authorities };
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
    validate: createValidate(schema),
    plan: (params) => planRender(params, registry),
    refuse: own.add,
    render: (plan, renderOptions = {}) =>
      running.track(
        renderOptions.signal,
        async (signal) => {
          await ready(prepare(), signal);
          return renderWithRetry({ hooks, pool }, plan, { ...renderOptions, signal });
        },
        bodyRead,
      ),
    prepare,
    start: () => pool.start(),
    serve: (server) => booted.serve(server),
    status: () => ({ ...pool.status(), inFlight: running.count() }),
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

function createValidate(schema: RequestSchema): Kernel['validate'] {
  const validate = createValidator(schema);
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

/** A streaming body is part of its render: the client may disconnect while it is sent. */
async function bodyRead({ output: { body } }: RenderResult): Promise<void> {
  if (!Buffer.isBuffer(body)) await finished(body, { writable: false });
}
