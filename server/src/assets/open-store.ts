import type { ServerHooks } from '../service/hooks.js';
import type { ServerAssetStore } from '../service/stores.js';
import { DiskStore, type DiskStoreOptions } from './disk-store.js';

/** The store of a plugin, or else the disk. It is chosen when the server starts, before any other tap of `start`. */
export function openStore(hooks: Pick<ServerHooks, 'assetStore' | 'start'>, options: DiskStoreOptions): ServerAssetStore {
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
