/** The size of each asset in bytes, also while it is being written. */
export interface AssetSizeIndex {
  readonly total: number;
  set(id: string, bytes: number): void;
  delete(id: string): void;
}

export function createAssetSizeIndex(): AssetSizeIndex {
  const taken = new Map<string, number>();
  let total = 0;
  return {
    get total() {
      return total;
    },
    set(id, bytes) {
      total += bytes - (taken.get(id) ?? 0);
      taken.set(id, bytes);
    },
    delete(id) {
      total -= taken.get(id) ?? 0;
      taken.delete(id);
    },
  };
}
