import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { readdir, readlink } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { WalkedPage } from '@platen/plugin-walk';
import { describe, expect, it } from 'vitest';
import { openWacz } from '../../../../plugins/output/wacz/src/write-wacz.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { until } from '../../../helpers/until.js';
import { listMembers, parseCdx, readMember } from '../../../helpers/wacz-file.js';
import { after, type FakeWalk, fakeExchange, fakePage, fakeSite, fakeWalk } from './fake-walk.js';

setFlagsFromString('--expose-gc');
/** What is held is told from what nobody has collected yet. */
const collectGarbage = runInNewContext('gc') as () => void;
const held = () => {
  collectGarbage();
  const { external, heapUsed } = process.memoryUsage();
  return external + heapUsed;
};

const url = (at: number) => `http://site.test/${String(at)}`;

function* generatePages(count: number, content: (at: number) => string | Buffer, title = ''): Generator<WalkedPage> {
  for (let at = 0; at < count; at += 1) {
    const exchanges = [fakeExchange({ url: url(at), content: content(at), date: after(at) })];
    yield fakePage({ url: url(at), title, depth: Math.min(at, 1), exchanges });
  }
}

/** Names of the temporary files that this process has open. */
async function openFiles(): Promise<readonly string[]> {
  const names = await readdir('/proc/self/fd');
  const paths = await Promise.all(names.map((name) => readlink(`/proc/self/fd/${name}`).catch(() => '')));
  return paths.filter((path) => /platen-(?:spool|video)-/.test(path));
}

/** Pages with long titles, so that their lists are on disk, and large bodies, so that the walk waits for its reader. */
const endless = (): FakeWalk =>
  fakeWalk(
    generatePages(Infinity, () => randomBytes(10_000), 'x'.repeat(10_000)),
    url(0),
  );

async function readUntilOnDisk(body: AsyncIterable<Buffer>): Promise<void> {
  for await (const bytes of body) {
    expect(bytes.length).toBeGreaterThan(0);
    if ((await openFiles()).length > 0) return;
  }
}

describe('a WACZ file, while it is written', () => {
  it('is not ahead of a slow reader by more than a few MiB', async () => {
    const walk = fakeWalk(generatePages(400, () => randomBytes(100_000)));
    let read = 0;
    let ahead = 0;
    for await (const bytes of openWacz(walk) as AsyncIterable<Buffer>) {
      read += bytes.length;
      for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
      ahead = Math.max(ahead, walk.written - read);
    }
    expect(walk.written).toBeGreaterThan(40_000_000);
    expect(ahead).toBeLessThan(4 * 2 ** 20);
  });

  it('of 20,000 small pages takes no more memory than some', async () => {
    const count = 20_000;
    let [before, last] = [0, 0];
    const watched = generatePages(count, (at) => {
      if (at === 2500) before = held();
      if (at === count - 1) last = held();
      return randomBytes(4000);
    });
    await using file = await openCheckedFile(Buffer.alloc(0), 'wacz');
    await pipeline(openWacz(fakeWalk(watched)), createWriteStream(file.path));
    // Of 80 MB.
    expect(last - before).toBeLessThan(32 * 2 ** 20);
    expect(parseCdx((await readMember(file.path, 'indexes/index.cdx')).toString())).toHaveLength(count);
    expect((await readMember(file.path, 'pages/extraPages.jsonl')).toString().trimEnd().split('\n')).toHaveLength(count);
  });

  it('does not begin before it is read', async () => {
    let begun = false;
    const body = openWacz(
      fakeWalk(
        (function* () {
          begun = true;
          yield* fakeSite();
        })(),
      ),
    );
    await new Promise(setImmediate);
    expect(begun).toBe(false);
    expect((await buffer(body)).length).toBeGreaterThan(1000);
    expect(begun).toBe(true);
  });

  it('ends the walk and its temporary files when its reader leaves', async () => {
    const walk = endless();
    await readUntilOnDisk(openWacz(walk));
    await until(() => walk.over);
    await until(async () => (await openFiles()).length === 0);
  });

  it('closes at once when its reader leaves while the walk waits for a page', async () => {
    const waiting: AsyncIterable<WalkedPage> = {
      [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }),
    };
    const body = openWacz(fakeWalk(waiting));
    await once(body, 'readable');
    body.destroy();
    await once(body, 'close');
  });
});

/** All bytes until the stream failed, and its error. */
async function readBroken(walk: FakeWalk): Promise<{ readonly bytes: Buffer; readonly error: unknown }> {
  const parts: Buffer[] = [];
  try {
    for await (const bytes of openWacz(walk) as AsyncIterable<Buffer>) parts.push(bytes);
  } catch (error) {
    return { bytes: Buffer.concat(parts), error };
  }
  throw new Error('the stream did not fail');
}

function* breaking(error: Error): Generator<WalkedPage> {
  yield* generatePages(50, () => randomBytes(100_000));
  throw error;
}

describe('a WACZ file that fails', () => {
  it("has the walk's error, and does not look whole", async () => {
    const error = new Error('the browser was lost');
    const broken = await readBroken(fakeWalk(breaking(error)));
    expect(broken.error).toBe(error);
    expect(broken.bytes.length).toBeGreaterThan(1_000_000);
    await using file = await openCheckedFile(broken.bytes, 'wacz');
    await expect(listMembers(file.path)).rejects.toThrow('BadZipFile');
    await expect(runChecker('unzip', ['-t', file.path])).rejects.toThrow();
    expect(await openFiles()).toEqual([]);
  });

  it('for want of room on the disk says so', async () => {
    const { error } = await readBroken(fakeWalk(breaking(Object.assign(new Error('write'), { code: 'ENOSPC' }))));
    expect(error).toMatchObject({
      code: 'encode_failed',
      message: 'the wacz could not be written: the disk that holds the temporary folder of the server is full',
    });
  });

  it('in the middle of a page fails with that error', async () => {
    const failing = fakePage({
      url: url(0),
      exchanges: (async function* () {
        yield await Promise.resolve(fakeExchange({ url: url(0) }));
        throw new Error('the page was lost');
      })(),
    });
    expect((await readBroken(fakeWalk([failing]))).error).toEqual(new Error('the page was lost'));
  });
});
