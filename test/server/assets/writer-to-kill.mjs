// A process that writes assets into the folder that it is given until it is killed: tells when one is whole, one unpublished, and one half.
import { Readable } from 'node:stream';
import { silentLogger } from '@platen/kernel';
import { DiskStore } from '../../../server/dist/assets/disk-store.js';

const [, , folder] = process.argv;
const store = new DiskStore({ folders: [folder], lifetimeSeconds: 3600, maxBytes: 2 ** 30, log: silentLogger });
const head = { name: 'har', contentType: 'text/plain', extension: 'txt' };
const { signal } = new AbortController();

const whole = await store.put(head, Buffer.from('whole'), signal);
await store.publish([whole], () => 'page.txt');
const unpublished = await store.put(head, Buffer.from('unpublished'), signal);
let pieces = 0;
const endless = new Readable({
  read() {
    pieces += 1;
    // The disk has taken what was given before it asks for more.
    if (pieces === 100) process.send({ whole: whole.id, unpublished: unpublished.id });
    if (pieces < 100) this.push(Buffer.alloc(16_384, 'x'));
  },
});
await store.put(head, endless, signal);
