// Keeps entries as fast as it can, until it is killed: `node write-entries.mjs FOLDER`. Tells of each that it begins, by its number.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { EntryStore } from '../../../../plugins/service/cache/dist/entry-store.js';
import { AppendOnlyBody } from '../../../../plugins/service/cache/dist/append-only-body.js';

const log = { debug() {}, info() {}, warn() {}, error() {}, child: () => log };
const store = new EntryStore({ folder: process.argv[2], maxBytes: 1024 ** 3, ttlMs: 3_600_000, log });
await store.sweep();
const always = () => true;
const stays = new AbortController().signal;

for (let at = 0; ; at += 1) {
  // The same few keys again and again, so that entries are replaced too, by others of another size.
  const key = createHash('sha256')
    .update(`entry ${at % 7}`)
    .digest('hex');
  const body = Buffer.alloc(20_000 + (at % 50) * 9_000, `body ${at};`);
  const record = { key, contentType: 'image/png', extension: 'png', headers: {}, assets: [], storedAt: Date.now() };
  process.stdout.write(`${at}\n`);
  if (at % 2 === 0) {
    await store.put({ ...record, bytes: body.length, sha256: createHash('sha256').update(body).digest('hex') }, body, always);
  } else {
    const part = await store.begin();
    const growing = new AppendOnlyBody({
      handle: part.handle,
      maxBytes: 1024 ** 3,
      onSpilled: (error) => {
        throw error;
      },
    });
    await growing.fill(Readable.from([body.subarray(0, 7_000), body.subarray(7_000)], { objectMode: false }), stays);
    await part.commit({ ...record, ...growing.whole }, always);
    await growing.close();
  }
}
