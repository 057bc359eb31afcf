import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createMemoryStore, PlatenError, silentLogger, type AssetStore } from '@platen/kernel';
import { expect, it } from 'vitest';
import { createRenderAssetStore } from '../../../kernel/src/assets/render-asset-store.js';

const plan = { assets: ['har', 'trace', 'storage'].map((name) => ({ key: `with_${name}`, name, plugin: name })) };
const asset = (name: string, body: Readable | (() => Buffer | Promise<Buffer>)) => ({
  name,
  contentType: 'text/plain',
  extension: 'txt',
  body,
});
const never = () => new Promise<never>(() => undefined);
const silent = () => new Readable({ read: () => undefined });

/** A assets of a render that has failed. */
function openLateStore(store: AssetStore = createMemoryStore()) {
  const time = new AbortController();
  const assets = createRenderAssetStore({ plan, store, signal: new AbortController().signal, log: silentLogger });
  assets.within(time.signal, new PlatenError('render_timeout', 'too late'));
  return { assets, time };
}

it('an asset that takes all the time that a failure has costs none of those that were there before it', async () => {
  const { assets, time } = openLateStore();
  await assets.add(asset('storage', Readable.from(['kept'], { objectMode: false })));
  await assets.add(asset('har', never));
  await assets.add(asset('trace', () => Buffer.from('after')));
  const settling = assets.settle();
  time.abort();
  const { kept, missing } = await settling;
  expect(await Promise.all(kept.map(({ open }) => text(open())))).toEqual(['kept']);
  const reason = 'it was not ready in time after the render failed';
  expect(missing).toEqual([
    { name: 'har', reason },
    { name: 'trace', reason },
  ]);
});

it('an asset that is whole only after all was settled is forgotten', async () => {
  const memory = createMemoryStore();
  const discarded: string[] = [];
  const store = {
    ...memory,
    discard: (assets: readonly { readonly name: string }[]) => (discarded.push(...assets.map(({ name }) => name)), Promise.resolve()),
  };
  const { assets } = openLateStore(store);
  const body = silent();
  const adding = assets.add(asset('trace', body));
  const { kept, missing } = await assets.settle();
  expect([kept, missing.map(({ name }) => name)]).toEqual([[], ['har', 'trace', 'storage']]);
  body.push(null);
  await adding;
  expect(discarded).toEqual(['trace']);
});
