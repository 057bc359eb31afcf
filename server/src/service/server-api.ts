import { join, resolve } from 'node:path';
import {
  type AssetStore,
  type CollectedAssets,
  createMemoryStore,
  type Fragments,
  type Kernel,
  type Logger,
  type RenderPlan,
  type SelfListener,
  type ServerApi,
  silentLogger,
  type TapOnly,
} from '@platen/kernel';
import { collectFlags } from '../flags/flag-set.js';
import { openFirstFolder, userFolders } from './asset-folder.js';
import { linkAssets, toPublicUrl, type AssetLinks } from './link-assets.js';
import { type BodyLimits, largeKeysOf, limitsOfBody } from './body-limit.js';
import { type Problem, toPlatenError, toProblem } from './problem.js';
import type { RouteContext } from './router.js';
import { tapAsync, tapSync } from './attribute-errors.js';
import { createGivenFlags, type ExplicitFlags } from './explicit-flags.js';
import type { ApiDescription } from './api-description.js';
import { createServerHooks, type ExtraListener, type FlagValues, type ReadDigests, type ServerHooks } from './hooks.js';
import type { PluginRender, PluginRenderRequest } from './render-for-plugins.js';
import { tapReload } from './reload.js';
import { createStatus, type StatusReport } from './status-report.js';
import type { ResultStore, ResultStoreOptions } from './stores.js';

/** What a plugin can do with a hook: tap it. */
type Taps<H> = H extends { tapPromise(options: string, fn: (...args: infer A) => Promise<infer R>): void }
  ? TapOnly<A, R>
  : H extends { tap(options: string, fn: (...args: infer A) => infer R): void }
    ? Pick<TapOnly<A, R>, 'tap'>
    : never;

/** Additional assets. A found one has not expired and can be published again, with a new lifetime. */
export interface ServerAssets extends Pick<AssetStore, 'find' | 'put' | 'discard'> {
  /** Publishes the assets of a render of this URL, and returns their links, signed if the server signs links. */
  link(plan: Pick<RenderPlan, 'url'>, assets: CollectedAssets): Promise<AssetLinks>;
}

declare module '@platen/kernel' {
  interface ServerApi {
    readonly hooks: { readonly [K in keyof ServerHooks]: Taps<ServerHooks[K]> };
    /**
     * The kernel's data for reports, and its validation and planning of requests; plugins neither render nor close the kernel themselves.
     */
    readonly kernel: Pick<Kernel, 'version' | 'plugins' | 'schema' | 'validate' | 'plan' | 'status'>;
    /** Values of the startup flags that are not secret. */
    readonly flags: FlagValues;
    /** The fragment of every startup flag, by its name without leading dashes. */
    readonly flagFragments: Fragments;
    /**
     * Whether a startup flag has a value now, also after a reload: call it each time, do not store the result. Of a secret flag, only its
     * owner can learn more.
     */
    isGiven(flag: string): boolean;
    /** The endpoints that plugins have added in `describe`; for a tap of `start` or later, when all of them are registered. */
    describe(): ApiDescription;
    /** Digests of data that plugins have read since the start, by `digests`. */
    digests(): ReadDigests;
    /**
     * Renders as `POST /` does: validation, admission, the hooks of the server, log and metrics, but no response. The caller links or
     * discards the assets, and reads or destroys a streamed body: until then the render counts as a request in progress.
     *
     * @throws PlatenError with the assets of a failed render
     */
    render(request: PluginRenderRequest): Promise<PluginRender>;
    readonly assets: ServerAssets;
    /** The address of a path of this server for its clients: absolute with `--server-public-url`, else the path. */
    toPublicUrl(path: string): string;
    /** The error document of an error, for an output other than a response of this server. It contains no secrets. */
    toProblem(error: unknown, requestId: string): Problem;
    /**
     * Opens a folder of the given name for a plugin's data, which only this user can access: in the given folder, or if it is `true`, in the
     * user's cache folder, else in the temporary folder.
     *
     * @throws Error if it cannot be created or written to
     */
    openFolder(name: string, where: true | string): Promise<string>;
    /** Asks the plugins for a store, by `resultStore`; in a tap of `start`. Undefined: there is none. */
    openResultStore(options: ResultStoreOptions): Promise<ResultStore | undefined>;
    /**
     * The JSON body of a request, with the limits of `POST /`; undefined if there is none. The path leads to the parameters of a render: only
     * with some of them may a body be large.
     *
     * @throws PlatenError `malformed_request`, `unsupported_media_type`, `payload_too_large`
     */
    readJson(ctx: RouteContext, paramsAt?: readonly string[]): Promise<unknown>;
    /** Largest bodies of `POST /`. */
    bodyLimits(): BodyLimits;
    /** The body of `GET /status`, and the data that it omits. */
    status(): StatusReport;
    /** The endpoint of each request in progress, as in `RequestRecord`; `other` before it is known. */
    openEndpoints(): readonly string[];
    /** The addresses at which the server listens now, by an address and a port; the main one is the last. */
    listeners(): readonly SelfListener[];
    /** Opens another listener, in a tap of `start`; resolves with its URL, or `unix:PATH`. It is closed with the server. */
    listen(listener: ExtraListener): Promise<string>;
  }
}

export interface ServerApiParts extends Pick<ServerApi, 'listen' | 'listeners' | 'status' | 'openEndpoints' | 'render' | 'readJson'> {
  readonly hooks: ServerHooks;
  readonly kernel: Kernel;
  readonly flags: Readonly<Record<string, unknown>>;
  /** The current values, if they can change; else the values of the start. */
  readonly given?: Pick<ExplicitFlags, 'has'>;
  readonly store: AssetStore;
  readonly log: Logger;
}

/** The API for plugins that serve: hooks that can be tapped but not called, and a read-only view of the server. */
export function createServerApi(parts: ServerApiParts): ServerApi {
  const { hooks, kernel, flags, store, listen, listeners, status, openEndpoints, render, readJson } = parts;
  const { given = createGivenFlags(kernel, flags) } = parts;
  return Object.freeze({
    hooks: createTaps(hooks),
    kernel,
    flags: withoutSecrets(flags, kernel),
    flagFragments: Object.freeze(Object.fromEntries([...collectFlags(kernel.plugins)].map(([name, { fragment }]) => [name, fragment]))),
    isGiven: (flag: string) => given.has(flag),
    describe: () => hooks.describe.call({ endpoints: [], renders: { parameters: [], answers: {} } }),
    digests: () => hooks.digests.call({}),
    render,
    assets: Object.freeze({
      find: store.find.bind(store),
      put: store.put.bind(store),
      discard: store.discard.bind(store),
      link: (plan: Pick<RenderPlan, 'url'>, assets: CollectedAssets) => linkAssets(parts, plan, assets),
    }),
    toPublicUrl: (path: string) => toPublicUrl(flags, path),
    openResultStore: (options: ResultStoreOptions) => hooks.resultStore.promise(options),
    toProblem: (error: unknown, requestId: string) => toProblem(toPlatenError(error), requestId),
    openFolder: (name: string, where: true | string) =>
      openFirstFolder(where === true ? userFolders(name, process.env) : [join(resolve(where), name)]),
    readJson,
    bodyLimits: () => limitsOfBody(largeKeysOf(kernel)),
    listen,
    listeners,
    status,
    openEndpoints,
  });
}

/** The hooks, which can be tapped but not called. */
function createTaps(hooks: ServerHooks): ServerApi['hooks'] {
  return Object.freeze({
    check: tapAsync(hooks.check),
    examine: tapAsync(hooks.examine),
    assetStore: tapAsync(hooks.assetStore),
    resultStore: tapAsync(hooks.resultStore),
    start: tapAsync(hooks.start),
    startBrowser: tapSync(hooks.startBrowser),
    reload: tapReload(hooks.reload),
    drain: tapSync(hooks.drain),
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
  });
}

/** Only the plugin that owns a secret flag may read it. */
function withoutSecrets(flags: ServerApiParts['flags'], { plugins }: Kernel): ServerApi['flags'] {
  const fragments = plugins.flatMap(({ definition }) => Object.entries(definition.flags ?? {}));
  const secret = new Set(fragments.filter(([, fragment]) => fragment['x-secret'] === true).map(([name]) => name));
  return Object.freeze(Object.fromEntries(Object.entries(flags).filter(([name]) => !secret.has(name))));
}

interface ServeOptions {
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
