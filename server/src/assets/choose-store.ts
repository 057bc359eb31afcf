import type { ServerHooks } from '../service/hooks.js';
import type { AssetStoreOptions, ServerAssetStore } from '../service/stores.js';

/** A store that is chosen after plugins have received it. */
export interface ChosenAssetStore extends ServerAssetStore {
  /** Asks the plugins; their store replaces the given one. Before any other method is called. */
  choose(hooks: Pick<ServerHooks, 'assetStore'>, options: AssetStoreOptions): Promise<void>;
}

export function createChosenStore(own: ServerAssetStore): ChosenAssetStore {
  let store = own;
  return {
    async choose(hooks, options) {
      store = (await hooks.assetStore.promise(options)) ?? own;
    },
    put: (head, body, signal) => store.put(head, body, signal),
    publish: (assets, nameOf) => store.publish(assets, nameOf),
    discard: (assets) => store.discard(assets),
    find: (id) => store.find(id),
    sweep: () => store.sweep(),
    close: () => store.close(),
  };
}
