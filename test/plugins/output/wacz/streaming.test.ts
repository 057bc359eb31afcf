import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readlink } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { WalkedPage } from '@platen/plugin-walk';
import { describe, expect, it } from 'vitest';
import { openWacz } from '../../../../plugins/output/wacz/src/write-wacz.js';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import { until } from '../../../helpers/until.js';
import { listMembers } from '../../../helpers/wacz-file.js';
import { type FakeWalk, fakeExchange, fakePage, fakeSite, fakeWalk, generatePages, pageUrl } from './fake-walk.js';

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
    pageUrl(0),
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
      url: pageUrl(0),
      exchanges: (async function* () {
        yield await Promise.resolve(fakeExchange({ url: pageUrl(0) }));
        throw new Error('the page was lost');
      })(),
    });
    expect((await readBroken(fakeWalk([failing]))).error).toEqual(new Error('the page was lost'));
  });
});
