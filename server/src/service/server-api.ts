import { join, resolve } from 'node:path';
import type { AssetStore, CollectedAssets, Kernel, RenderPlan, ServerApi } from '@platen/kernel';
import { openFirstFolder, userFolders } from '../assets/asset-folder.js';
import { linkAssets } from '../assets/link-assets.js';
import { limitsOfBody } from '../http/body-limit.js';
import { toPlatenError, toProblem } from '../http/problem.js';
import { collectFlags } from '../flags/flag-set.js';
import { tapAsync, tapSync } from './attribute-errors.js';
import { createGivenFlags, type ExplicitFlags } from './explicit-flags.js';
import type { ServerHooks } from './hooks.js';
import { tapReload } from './reload.js';

export interface ServerApiParts extends Pick<ServerApi, 'listen' | 'status' | 'openEndpoints' | 'render' | 'readJson'> {
  readonly hooks: ServerHooks;
  readonly kernel: Kernel;
  readonly flags: Readonly<Record<string, unknown>>;
  /** The current values, if they can change; else the values of the start. */
  readonly given?: Pick<ExplicitFlags, 'has'>;
  readonly store: AssetStore;
}

/** The API for plugins that serve: hooks that can be tapped but not called, and a read-only view of the server. */
export function createServerApi(parts: ServerApiParts): ServerApi {
  const { hooks, kernel, flags, store, listen, status, openEndpoints, render, readJson } = parts;
  const { given = createGivenFlags(kernel, flags) } = parts;
  return Object.freeze({
    hooks: Object.freeze({
      check: tapAsync(hooks.check),
      examine: tapAsync(hooks.examine),
      start: tapAsync(hooks.start),
      reload: tapReload(hooks.reload),
      stop: tapAsync(hooks.stop),
      authorize: tapAsync(hooks.authorize),
      routes: tapSync(hooks.routes),
      defer: tapAsync(hooks.defer),
      beforeRender: tapAsync(hooks.beforeRender),
      admit: tapAsync(hooks.admit),
      execute: tapAsync(hooks.execute),
      digests: tapSync(hooks.digests),
      purge: tapAsync(hooks.purge),
      assetLink: tapSync(hooks.assetLink),
      status: tapSync(hooks.status),
      describe: tapSync(hooks.describe),
      finished: tapSync(hooks.finished),
    }),
    kernel,
    flags: withoutSecrets(flags, kernel),
    flagFragments: Object.freeze(Object.fromEntries([...collectFlags(kernel.plugins)].map(([name, { fragment }]) => [name, fragment]))),
    isGiven: (flag: string) => given.has(flag),
    describe: () => hooks.describe.call({ endpoints: [] }),
    digests: () => hooks.digests.call({}),
    render,
    assets: Object.freeze({
      find: store.find.bind(store),
      put: store.put.bind(store),
      discard: store.discard.bind(store),
      link: (plan: Pick<RenderPlan, 'url'>, assets: CollectedAssets) => linkAssets({ store, hooks }, plan, assets),
    }),
    toProblem: (error: unknown, requestId: string) => toProblem(toPlatenError(error), requestId),
    openFolder: (name: string, where: true | string) =>
      openFirstFolder(where === true ? userFolders(name, process.env) : [join(resolve(where), name)]),
    readJson,
    bodyLimits: () => limitsOfBody(kernel),
    listen,
    status,
    openEndpoints,
  });
}

/** Only the plugin that owns a secret flag may read it. */
function withoutSecrets(flags: ServerApiParts['flags'], { plugins }: Kernel): ServerApi['flags'] {
  const fragments = plugins.flatMap(({ definition }) => Object.entries(definition.flags ?? {}));
  const secret = new Set(fragments.filter(([, fragment]) => fragment['x-secret'] === true).map(([name]) => name));
  return Object.freeze(Object.fromEntries(Object.entries(flags).filter(([name]) => !secret.has(name))));
}
