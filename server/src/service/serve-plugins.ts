import type { Kernel, ServerApi } from '@platen/kernel';
import { createStatus } from '../http/status-route.js';
import { createServerHooks, type FlagValues, type ServerHooks } from './hooks.js';
import { createServerApi } from './server-api.js';

export interface ServeOptions {
  readonly kernel: Kernel;
  readonly flags: FlagValues;
  /** Called for the listeners of plugins. */
  readonly listen: ServerApi['listen'];
}

/** Calls every plugin's `serve` for a server that does not start, and returns the hooks for checks of its configuration. */
export function servePlugins({ kernel, flags, listen }: ServeOptions): ServerHooks {
  const hooks = createServerHooks();
  const store = { find: () => Promise.resolve(undefined) };
  const status = createStatus({ kernel, hooks, draining: () => false });
  kernel.serve(createServerApi({ hooks, kernel, flags, store, status, openEndpoints: () => [], listen }));
  return hooks;
}
