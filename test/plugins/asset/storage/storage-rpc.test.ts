import { expect, it } from 'vitest';
import { createStorageRpc, type StorageRpc } from '../../../../plugins/asset/storage/src/in-page/storage-rpc.js';

type Parts = Parameters<typeof createStorageRpc>;

function openDesk(readItems: Parts[0], area: Parts[1]['area'] = () => null): StorageRpc {
  // Those that an order does not need are not there.
  return createStorageRpc(readItems, { area } as Parts[1]);
}

const read = (desk: StorageRpc, kind: string) => desk.run('read', JSON.stringify({ kind, room: 1000 }));

it('an order may come, and its answer go, in pieces that halve no character', async () => {
  const name = '🎈'.repeat(1_500_000);
  const desk = openDesk(
    async function* () {
      yield `xI ${name}`;
    },
    (written) => ({ at: written.items.length, why: written.items[0]?.name ?? '' }),
  );
  desk.take('{"area":"localStorage","items":[{"na');
  desk.take('me":"first","val');
  expect(await desk.run('area', 'ue":""}]}')).toEqual({ text: '{"at":1,"why":"first"}', more: false });
  const texts: string[] = [];
  for (let piece = await read(desk, 'localStorage'); ; piece = desk.give()) {
    texts.push(piece.text);
    if (!piece.more) break;
  }
  expect(texts).toHaveLength(2);
  expect(texts.some((text) => /\p{Surrogate}/u.test(text))).toBe(false);
  expect(texts.join('')).toBe(`xI ${name}`);
});

it('lines are read on where they stopped, about a megabyte at a time, until there are none', async () => {
  const line = 'I'.repeat(600_000);
  const desk = openDesk(async function* () {
    for (let number = 0; number < 3; number++) yield line;
  });
  const lengths: number[] = [];
  for (;;) {
    const { text } = await read(desk, 'indexedDB');
    if (text === '') break;
    lengths.push(text.split('\n').length);
  }
  expect(lengths).toEqual([2, 1]);
});

it('a kind that fails leaves the others as they are', async () => {
  const desk = openDesk(async function* (kind) {
    if (kind === 'localStorage') throw new Error('denied');
    yield `I ${kind}`;
  });
  await expect(read(desk, 'localStorage')).rejects.toThrow('denied');
  expect((await read(desk, 'sessionStorage')).text).toBe('I sessionStorage');
});

it('each read says anew how much room there is', async () => {
  const desk = openDesk(async function* (_kind, room) {
    for (;;) yield `${String(room())} `.padEnd(1_000_000, '.');
  });
  const rooms: number[] = [];
  for (const room of [5, 3]) {
    const { text } = await desk.run('read', JSON.stringify({ kind: 'cacheStorage', room }));
    rooms.push(Number.parseInt(text, 10));
  }
  expect(rooms).toEqual([5, 3]);
});
