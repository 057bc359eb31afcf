// A process that uses the frontier of the folder that it is given, from the sources: `walk` until it is killed, or `fill COUNT HOSTS` to
// report its memory (with `--expose-gc`).
import { register } from 'node:module';

register(new URL('../../../helpers/typescript-in-workers.mjs', import.meta.url));
const { openFrontier } = await import('../../../../plugins/lib/frontier/src/index.ts');

const [, , folder, task, count, hosts] = process.argv;
const frontier = await openFrontier({ folder, delayMs: 0 });
const send = (message) => new Promise((resolve) => process.send(message, resolve));

/** Reports each step once it is durable. */
async function walk() {
  for (let page = 0; ; page += 1) {
    const urls = [0, 1, 2].map((index) => `https://${index}.example/${page}`);
    await frontier.offer(urls.map((url) => ({ url, depth: 0 })));
    await send({ offered: urls });
    const claim = await frontier.claim(Date.now());
    if (page % 2 === 0) continue;
    await frontier.done(claim);
    await send({ done: claim.url });
  }
}

/** Offers all URLs twice and claims some, and reports the most memory that each half of it took. */
async function fill(total, hostCount) {
  const peaks = { heap: 0, rss: 0 };
  const measure = () => {
    globalThis.gc();
    const { heapUsed, rss } = process.memoryUsage();
    peaks.heap = Math.max(peaks.heap, heapUsed);
    peaks.rss = Math.max(peaks.rss, rss);
    return { ...peaks };
  };
  const offer = (at) =>
    frontier.offer(
      Array.from({ length: 1000 }, (_, index) => ({
        url: `https://${(at + index) % hostCount}.example/products/item?number=${at + index}`,
        depth: 1 + ((at + index) % 3),
      })),
    );
  const added = [0, 0];
  for (let at = 0; at < 20_000; at += 1000) {
    added[0] += await offer(at);
    if (at % 5000 === 0) measure();
  }
  const early = measure();
  for (let at = 20_000; at < total; at += 1000) {
    added[0] += await offer(at);
    if (at % 5000 === 0) measure();
  }
  for (let at = 0; at < total; at += 1000) {
    added[1] += await offer(at);
    if (at % 5000 === 0) measure();
  }
  for (let index = 0; index < 1000; index += 1) await frontier.done(await frontier.claim(Date.now()));
  await send({ added, counts: frontier.counts, early, late: measure() });
}

await (task === 'walk' ? walk() : fill(Number(count), Number(hosts)));
await frontier[Symbol.asyncDispose]();
process.disconnect();
