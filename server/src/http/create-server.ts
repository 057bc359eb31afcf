import { drainingError, type Kernel, type Logger, type PlatenError, type SelfListener, type ServerApi } from '@platen/kernel';
import type Koa from 'koa';
import { createActiveRequests } from '../service/active-requests.js';
import { assetFolders } from '../service/asset-folder.js';
import { createGivenFlags } from '../service/explicit-flags.js';
import { createServerHooks, type FlagValues, reportTo, type ServerHooks } from '../service/hooks.js';
import { logRequests } from '../service/log-requests.js';
import { reload } from '../service/reload.js';
import { createPluginRender, type PluginRenderParts } from '../service/render-for-plugins.js';
import { createServerApi } from '../service/server-api.js';
import { createStatus } from '../service/status-report.js';
import type { ServerAssetStore } from '../service/stores.js';
import { DiskStore, type DiskStoreOptions } from '../assets/disk-store.js';
import { type AppParts, createApp } from './app.js';
import { isOpen } from './authorize.js';
import { isLoopback, toBindAddress } from './bind.js';
import { createListeners, type Listeners } from './listeners.js';
import { type BodyRoom, createBodyRoom, readJson } from './read-params.js';

/** Maximum bytes of all additional assets together. */
const MAX_ASSET_BYTES = 4 * 1024 ** 3;
const ASSET_LIFETIME_S = 3600;
/** How long responses of aborted renders may take to be sent. */
const ABORT_GRACE_MS = 2_000;

export interface ServerOptions {
  readonly kernel: Kernel;
  readonly flags: FlagValues;
  readonly log: Logger;
  /** Folders for additional assets, in order of preference; the default is the user's cache folder. */
  readonly assetFolders?: readonly string[];
}

export interface Server {
  readonly hooks: ServerHooks;
  /** The API that the plugins have received. */
  readonly api: ServerApi;
  /** Opens the plugins' resources, for a server that does not listen. Rejects if a resource is unavailable. */
  start(): Promise<void>;
  /** Starts and binds; resolves with a URL, or `unix:PATH`. */
  listen(): Promise<string>;
  /**
   * Passes new values of the startup flags to the plugins that can change while serving: either all of them take their values, or none
   * does and it rejects, also if the signal is aborted before. Resolves with errors of plugins that failed after all had accepted the
   * values.
   */
  reload(flags: FlagValues, signal?: AbortSignal): Promise<readonly PlatenError[]>;
  /**
   * Refuses new renders, lets those in progress end within the grace, aborts the others, and stops listening. The kernel is its
   * owner's to close.
   */
  close(graceMs: number): Promise<void>;
}

/** The HTTP server. When this returns, the plugins have received its hooks. */
export function createServer({ kernel, flags, log, assetFolders: folders = assetFolders(process.env) }: ServerOptions): Server {
  const hooks = createServerHooks();
  const open = createActiveRequests();
  let draining = false;
  const room = createBodyRoom(kernel);
  const store = openStore(hooks, { folders, lifetimeSeconds: lifetimeOf(flags), maxBytes: MAX_ASSET_BYTES, log });
  const onFinished = reportTo(hooks, log);
  const bound: SelfListener[] = [];
  const listeners = createListeners({
    handle: (request, response) => handle(request, response),
    bodyLimit: room.bodyLimit,
    open,
    onFinished,
    onBound(listener) {
      bound.push(listener);
      kernel.refuse(listener);
    },
  });
  logRequests(hooks, log);
  const given = createGivenFlags(kernel, flags);
  const parts = { kernel, hooks, flags, store, log, open, onFinished, given, bound, listeners, room, draining: () => draining };
  const { api, handle } = servePlugins(parts);
  const stop = async () => {
    await listeners.close();
    await hooks.stop.promise();
    await store.close();
  };

  return {
    hooks,
    api,
    start: () => start({ hooks, store, stop }, () => Promise.resolve()),
    async listen() {
      const address = addressOf(flags);
      const url = await start({ hooks, store, stop }, () => listeners.listen(address));
      if (!isLoopback(address)) warnOfNeighbours(log, { url, isOpen: await isOpen(hooks, { method: 'POST', path: '/' }) });
      return url;
    },
    reload: (values, signal) => reload(hooks, values, { signal, given }),
    async close(graceMs) {
      if (!draining) hooks.drain.call();
      draining = true;
      await open.idle(graceMs);
      open.abort(drainingError());
      await open.idle(ABORT_GRACE_MS);
      await stop();
    },
  };
}

interface StartedParts {
  readonly hooks: ServerHooks;
  readonly store: ServerAssetStore;
  stop(): Promise<void>;
}

/** Opens the plugins' resources, and binds. */
async function start<T>({ hooks, store, stop }: StartedParts, bind: () => Promise<T>): Promise<T> {
  try {
    await hooks.start.promise();
    const bound = await bind();
    await store.sweep();
    return bound;
  } catch (error) {
    await stop();
    throw error;
  }
}

interface ServedParts extends PluginRenderParts, Pick<AppParts, 'flags' | 'open' | 'given'> {
  readonly listeners: Listeners;
  readonly bound: readonly SelfListener[];
  readonly room: BodyRoom;
}

/** Passes the server to the plugins; then the application with their endpoints. */
function servePlugins(parts: ServedParts): { readonly api: ServerApi; readonly handle: ReturnType<Koa['callback']> } {
  const { kernel, open, bound, listeners, room } = parts;
  const status = createStatus(parts);
  const api = createServerApi({
    ...parts,
    status,
    render: createPluginRender(parts),
    readJson: (ctx, paramsAt) => readJson(ctx, room, paramsAt),
    openEndpoints: () => open.endpoints(),
    listen: (listener) => listeners.add(listener),
    listeners: () => bound,
  });
  kernel.serve(api);
  return { api, handle: createApp({ ...parts, ...room, ...listeners, status }).callback() };
}

function addressOf({ 'server-bind-address': host, 'server-bind-port': port }: FlagValues): ReturnType<typeof toBindAddress> {
  return toBindAddress(typeof host === 'string' ? host : '127.0.0.1', typeof port === 'number' ? port : 3000);
}

function warnOfNeighbours(log: Logger, { url, isOpen }: { readonly url: string; readonly isOpen: boolean }): void {
  log.warn(
    { address: url },
    isOpen
      ? 'other machines can reach this server without credentials: they can read whatever this machine can reach'
      : 'credentials reach this server unencrypted: only a TLS proxy should have access to this address',
  );
}

function lifetimeOf({ 'server-additional-asset-expiration': seconds }: FlagValues): number {
  return typeof seconds === 'number' ? seconds : ASSET_LIFETIME_S;
}

/** The store of a plugin, or else the disk. It is chosen when the server starts, before any other tap of `start`. */
function openStore(hooks: Pick<ServerHooks, 'assetStore' | 'start'>, options: DiskStoreOptions): ServerAssetStore {
  const own = new DiskStore(options);
  let store: ServerAssetStore = own;
  hooks.start.tapPromise({ name: 'assets', stage: Number.NEGATIVE_INFINITY }, async () => {
    store = (await hooks.assetStore.promise({ lifetimeSeconds: options.lifetimeSeconds })) ?? own;
  });
  return {
    put: (head, body, signal) => store.put(head, body, signal),
    publish: (assets, nameOf) => store.publish(assets, nameOf),
    discard: (assets) => store.discard(assets),
    find: (id) => store.find(id),
    sweep: () => store.sweep(),
    close: () => store.close(),
  };
}
