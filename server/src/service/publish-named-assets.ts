import type { AssetStore, RenderOptions, StoredAsset } from '@platen/kernel';
import { nameFile } from './file-name.js';

/**
 * Publishes the assets that the output of one render names, under their ids. The render may last longer than they do, and its client may
 * read the output only then: with each further asset, the earlier ones that have lost half of their lifetime get a new one.
 */
export function createPublisher(): NonNullable<RenderOptions['publishAsset']> {
  /** The next to be renewed is the first. */
  const due: { readonly asset: StoredAsset; readonly fileName: string; readonly renewAt: number }[] = [];
  const publish = async (store: AssetStore, asset: StoredAsset, fileName: string): Promise<void> => {
    const [published] = await store.publish([asset], () => fileName);
    const expiresAt = published?.expiresAt.getTime() ?? Infinity;
    due.push({ asset, fileName, renewAt: (Date.now() + expiresAt) / 2 });
  };
  return async (asset, url, store) => {
    await publish(store, asset, nameFile(url, asset.extension));
    while (due[0] !== undefined && due[0].renewAt <= Date.now()) {
      const [first] = due.splice(0, 1);
      // The store may have removed it, because it is full.
      if (first !== undefined) await publish(store, first.asset, first.fileName).catch(() => undefined);
    }
    return asset.id;
  };
}
