import { createMemoryStore, type StoredAsset } from '@platen/kernel';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createPublisher } from '../../../server/src/service/publish-named-assets.js';

beforeEach(() => void vi.useFakeTimers({ now: 0 }));
afterEach(() => void vi.useRealTimers());

const LIFETIME_MS = 1000;

function openStore() {
  const published: (readonly [id: string, fileName: string, at: number])[] = [];
  const gone = new Set<string>();
  const store = {
    ...createMemoryStore(),
    publish: ([asset]: readonly StoredAsset[], nameOf: (asset: StoredAsset) => string) => {
      if (asset === undefined || gone.has(asset.id)) return Promise.reject(new Error('gone'));
      const fileName = nameOf(asset);
      published.push([asset.id, fileName, Date.now()]);
      return Promise.resolve([{ asset, fileName, publishedAt: new Date(0), expiresAt: new Date(Date.now() + LIFETIME_MS) }]);
    },
  };
  // Only what a publisher reads.
  const add = (publish: ReturnType<typeof createPublisher>, id: string) =>
    publish({ id, extension: 'png' } as StoredAsset, `https://example.com/${id}`, store);
  return { published, gone, add };
}

it('publishes each asset once, under its id and the name of its page', async () => {
  const { published, add } = openStore();
  const publish = createPublisher();
  expect([await add(publish, 'a'), await add(publish, 'b')]).toEqual(['a', 'b']);
  expect(published).toEqual([
    ['a', 'example.com-a.png', 0],
    ['b', 'example.com-b.png', 0],
  ]);
});

it('renews those whose lifetime is half over, as long as further assets come', async () => {
  const { published, gone, add } = openStore();
  const publish = createPublisher();
  for (const [id, at] of [
    ['a', 0],
    ['b', 300],
    ['c', 600],
    ['d', 900],
    ['e', 1200],
  ] as const) {
    vi.setSystemTime(at);
    if (id === 'd') gone.add('b');
    await add(publish, id);
  }
  expect(published.map(([id, , at]) => [id, at])).toEqual([
    ['a', 0],
    ['b', 300],
    ['c', 600],
    ['a', 600],
    ['d', 900],
    ['e', 1200],
    ['c', 1200],
    ['a', 1200],
  ]);
});
