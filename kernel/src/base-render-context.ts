import type { AssetStore, StoredAsset } from './assets/asset-store.js';
import { createClock } from './clock.js';
import type { BaseRenderContext, PublishAsset } from './context.js';
import type { Deadline } from './deadline.js';
import type { RenderOptions } from './kernel-contract.js';
import type { Logger } from './logger.js';
import { createValues } from './values.js';

export interface BaseContextParts
  extends
    Pick<BaseRenderContext, 'plan' | 'log' | 'renderOther'>,
    Pick<RenderOptions, 'openState' | 'readLocalFile' | 'resolveLocalPath' | 'publishAsset'> {
  readonly deadline: Deadline;
  readonly store: AssetStore;
}

/** `end` runs the callbacks deferred to the render's end. It never rejects. */
export function createBaseRenderContext(parts: BaseContextParts): { readonly base: BaseRenderContext; readonly end: () => Promise<void> } {
  const { plan, deadline, store, log, openState, readLocalFile, resolveLocalPath, renderOther } = parts;
  const { params, frozen } = plan;
  const { signal, setWaitReason } = deadline;
  const { add: onRenderEnd, run: end } = createEnding(log);
  const base = {
    ...{ plan, params, signal, log, clock: createClock(frozen) },
    ...{ openState, readLocalFile, resolveLocalPath, renderOther, setWaitReason, onRenderEnd },
    findAsset: (id: string) => store.find(id),
    publishAsset: publisherOf(parts),
    ...createValues(),
  };
  return { base: Object.freeze(base), end };
}

function publisherOf({ store, deadline: { signal }, publishAsset = publish }: BaseContextParts): PublishAsset {
  return async ({ body, ...head }, url) => {
    const stored = await store.put(head, body, signal);
    try {
      return await publishAsset(stored, url, store);
    } catch (error) {
      await store.discard([stored]);
      throw error;
    }
  };
}

async function publish(asset: StoredAsset, _url: string, store: AssetStore): Promise<string> {
  await store.publish([asset], ({ name, extension }) => `${name}.${extension}`);
  return asset.id;
}

/** Callbacks deferred to the end of a render. A failing callback does not affect the others. */
export function createEnding(log: Logger) {
  const listeners: (() => Promise<void>)[] = [];
  return {
    add(listener: () => Promise<void>): void {
      listeners.push(listener);
    },
    async run(): Promise<void> {
      const tidying = listeners.splice(0).map((listener) =>
        listener().catch((error: unknown) => {
          log.error({ err: error }, 'the cleanup after a render failed');
        }),
      );
      await Promise.all(tidying);
    },
  };
}
