import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createMemoryStore, PlatenError, silentLogger, type AssetStore } from '@platen/kernel';
import { expect, it } from 'vitest';
import { createAssetTray } from '../../../kernel/src/assets/asset-tray.js';

const plan = { assets: ['har', 'trace', 'storage'].map((name) => ({ key: `with_${name}`, name, plugin: name })) };
const asset = (name: string, body: Readable | (() => Buffer | Promise<Buffer>)) => ({
  name,
  contentType: 'text/plain',
  extension: 'txt',
  body,
});
const never = () => new Promise<never>(() => undefined);
const silent = () => new Readable({ read: () => undefined });

/** A tray of a render that has failed. */
function openLateTray(store: AssetStore = createMemoryStore()) {
  const time = new AbortController();
  const tray = createAssetTray({ plan, store, signal: new AbortController().signal, log: silentLogger });
  tray.within(time.signal, new PlatenError('render_timeout', 'too late'));
  return { tray, time };
}

it('an asset that takes all the time that a failure has costs none of those that were there before it', async () => {
  const { tray, time } = openLateTray();
  await tray.add(asset('storage', Readable.from(['kept'], { objectMode: false })));
  await tray.add(asset('har', never));
  await tray.add(asset('trace', () => Buffer.from('after')));
  const settling = tray.settle();
  time.abort();
  const { kept, missing } = await settling;
  expect(await Promise.all(kept.map(({ open }) => text(open())))).toEqual(['kept']);
  const reason = 'it was not there in time, after the render had failed';
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
  const { tray } = openLateTray(store);
  const body = silent();
  const adding = tray.add(asset('trace', body));
  const { kept, missing } = await tray.settle();
  expect([kept, missing.map(({ name }) => name)]).toEqual([[], ['har', 'trace', 'storage']]);
  body.push(null);
  await adding;
  expect(discarded).toEqual(['trace']);
});
