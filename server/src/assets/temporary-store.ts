import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AssetStore, Logger } from '@platen/kernel';
import { DiskStore } from './disk-store.js';

/** A store for one render, whose assets are copied to files of the user; disposing of the store removes it. */
export function openTemporaryStore(log: Logger): AssetStore & AsyncDisposable {
  const folder = join(tmpdir(), `platen-assets-${randomUUID()}`);
  const store = new DiskStore({ folders: [folder], lifetimeSeconds: 1, maxBytes: Infinity, log });
  return Object.assign(store, {
    async [Symbol.asyncDispose]() {
      store.close();
      await rm(folder, { recursive: true, force: true });
    },
  });
}
