import { type AssetStore, createMemoryStore, type Kernel, type ServerApi, silentLogger } from '@platen/kernel';
import { createServerHooks, type FlagValues, type ServerHooks } from './hooks.js';
import { createServerApi } from './server-api.js';
import { createStatus } from './status-report.js';

export interface ServeOptions {
  readonly kernel: Kernel;
  readonly flags: FlagValues;
  /** Called for the listeners of plugins. */
  readonly listen: ServerApi['listen'];
  readonly store?: AssetStore;
}

/** Calls every plugin's `serve` in a process that does not serve: a single render, or a check of the configuration. Returns the hooks. */
export function servePlugins({ kernel, flags, listen, store = createMemoryStore() }: ServeOptions): ServerHooks {
  const hooks = createServerHooks();
  const status = createStatus({ kernel, hooks, draining: () => false });
  const without = { openEndpoints: () => [], listeners: () => [], render: refuse, readJson: refuse };
  kernel.serve(createServerApi({ hooks, kernel, flags, store, log: silentLogger, status, listen, ...without }));
  return hooks;
}

function refuse(): Promise<never> {
  return Promise.reject(new Error('there is no server'));
}
