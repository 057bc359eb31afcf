import type { Kernel, ServerApi } from '@platen/kernel';
import { tapAsync, tapSync } from './attribute-errors.js';
import type { ServerHooks } from './hooks.js';

export interface ServerApiParts {
  readonly hooks: ServerHooks;
  readonly kernel: Kernel;
  readonly flags: Readonly<Record<string, unknown>>;
  bodyLimit(): number;
}

/** What plugins that serve get: hooks to be tapped, never called, and a view of the server. */
export function createServerApi({ hooks, kernel, flags, bodyLimit }: ServerApiParts): ServerApi {
  return Object.freeze({
    hooks: Object.freeze({
      authorize: tapAsync(hooks.authorize),
      routes: tapSync(hooks.routes),
      beforeRender: tapAsync(hooks.beforeRender),
      finished: tapSync(hooks.finished),
    }),
    kernel,
    flags,
    bodyLimit,
  });
}
