import { createMemoryStore } from '@platen/kernel';
import { expect, it } from 'vitest';
import { rig, tapping } from './pipeline-rig.js';

it('lets plugins find assets of earlier renders, and files that its caller names', async () => {
  const store = createMemoryStore();
  const asset = await store.put(
    { name: 'har', contentType: 'application/json', extension: 'har' },
    Buffer.from('{}'),
    new AbortController().signal,
  );
  await store.publish([asset], () => 'site.har');
  const seen: unknown[] = [];
  const tool = tapping('tool', ({ hooks }) => {
    hooks.beforeOpen.tapPromise('tool', async ({ findAsset, resolveLocalPath }) => {
      seen.push(await findAsset(asset.id), await findAsset('unknown'), resolveLocalPath?.('site.har'));
    });
  });
  const { run } = rig(tool);
  await run();
  await run({}, undefined, { store, resolveLocalPath: (path: string) => `/home/${path}` });
  expect(seen).toEqual([undefined, undefined, undefined, expect.objectContaining({ asset }), undefined, '/home/site.har']);
});
