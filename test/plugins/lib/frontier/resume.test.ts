import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { assertUnused, FrontierError, openFrontier, type Frontier } from '../../../../plugins/lib/frontier/src/index.js';
import { openStore, toFrontierError } from '../../../../plugins/lib/frontier/src/open-store.js';
import { claimAll, claimOne, openTemporaryFolder } from './open-temporary.js';

const PROCESS = fileURLToPath(new URL('./frontier-process.mjs', import.meta.url));

const reopen = async (frontier: Frontier, folder: string): Promise<Frontier> => {
  await frontier[Symbol.asyncDispose]();
  return openFrontier({ folder, delayMs: 0 });
};

describe('a frontier that is opened again', () => {
  it('queues what was claimed, and knows what is done, failed and put back', async () => {
    await using temporary = await openTemporaryFolder();
    const folder = join(temporary.folder, 'missing', 'folder');
    const first = await openFrontier({ folder, delayMs: 0 });
    const urls = Array.from({ length: 6 }, (_, index) => `http://${index % 2}.example/${index}`);
    await first.offer(urls.map((url) => ({ url, depth: 0 })));
    await first.done(await claimOne(first));
    await first.fail(await claimOne(first));
    await first.fail(await claimOne(first), { after: 1000 });
    await claimOne(first);

    await using second = await reopen(first, folder);
    expect(second.counts).toEqual({ queued: 4, claimed: 0, done: 1, failed: 1 });
    expect(await second.offer(urls.map((url) => ({ url, depth: 0 })))).toBe(0);
    await second.offer([{ url: 'http://0.example/new', depth: 0 }]);
    expect(await claimAll(second, 999)).toEqual([...urls.slice(3), 'http://0.example/new']);
    expect(await second.claim(999)).toBe(1);
    expect(await claimOne(second, 1000)).toMatchObject({ url: urls[2], tries: 1 });
  });

  it('has the last checkpoint, and knows what is archived', async () => {
    await using temporary = await openTemporaryFolder();
    const first = await openFrontier({ folder: temporary.folder, delayMs: 0 });
    expect(first.checkpoint).toBeUndefined();
    await first.offer(['/a', '/b', '/c'].map((path) => ({ url: `http://a.example${path}`, depth: 0 })));
    await first.done(await claimOne(first), 'one');
    await first.fail(await claimOne(first), { checkpoint: 'two' });
    await first.archive(['http://a.example/c#end', 'http://b.example/'], 'three');
    await first.offer([{ url: 'http://b.example/', depth: 0 }]);

    await using second = await reopen(first, temporary.folder);
    expect(second.checkpoint).toBe('three');
    expect(second.counts).toEqual({ queued: 1, claimed: 0, done: 1, failed: 1 });
    expect(await Promise.all(['a', 'c'].map((path) => second.isArchived(`http://a.example/${path}`)))).toEqual([false, true]);
    await second.done(await claimOne(second));
    expect(second.checkpoint).toBe('three');
  });

  it('holds all that was acknowledged by a process that was killed, and nothing that is done', async () => {
    await using temporary = await openTemporaryFolder();
    const { folder } = temporary;
    const offered = new Set<string>();
    const done = new Set<string>();
    for (const atLeast of [90, 240]) {
      const walker = fork(PROCESS, [folder, 'walk'], { execArgv: [] });
      walker.on('message', (message: { readonly offered?: readonly string[]; readonly done?: string }) => {
        for (const url of message.offered ?? []) offered.add(url);
        if (message.done !== undefined) done.add(message.done);
        if (offered.size >= atLeast) walker.kill('SIGKILL');
      });
      await once(walker, 'exit');
      expect(walker.signalCode).toBe('SIGKILL');
    }
    await using frontier = await openFrontier({ folder, delayMs: 0 });
    expect(done.size).toBeGreaterThan(20);
    expect(await frontier.offer([...offered].map((url) => ({ url, depth: 0 })))).toBe(0);
    // The last step may have been written and not reported.
    expect(frontier.counts.done - done.size).toBeOneOf([0, 1, 2]);
    const left = await claimAll(frontier, Date.now());
    expect(new Set(left).size).toBe(left.length);
    expect(left.filter((url) => done.has(url))).toEqual([]);
    const lost = [...offered].filter((url) => !done.has(url) && !left.includes(url));
    expect(lost.length).toBe(frontier.counts.done - done.size);
  });
});

describe('a folder is refused', () => {
  const refuse = (folder: string) => openFrontier({ folder, delayMs: 0 }).then(String, (error: unknown) => error);
  const filled = async (): Promise<AsyncDisposable & { readonly folder: string }> => {
    const temporary = await openTemporaryFolder();
    await using frontier = await openFrontier({ folder: temporary.folder, delayMs: 0 });
    await frontier.offer(Array.from({ length: 5000 }, (_, index) => ({ url: `http://a.example/${index}`, depth: 0 })));
    return temporary;
  };

  it('that holds something else', async () => {
    await using temporary = await openTemporaryFolder();
    const { folder } = temporary;
    await writeFile(join(folder, 'notes.txt'), 'mine');
    expect(await refuse(folder)).toEqual(new FrontierError('the folder is not a frontier\'s: it holds "notes.txt"'));
    expect(await refuse(join(folder, 'notes.txt'))).toEqual(new FrontierError("the frontier's folder cannot be used: EEXIST"));
    expect(await readdir(folder)).toEqual(['notes.txt']);
  });

  it.each([
    ['another program', 'key', 'it holds a LevelDB of another program'],
    ['another version', 'format', 'it holds platen-frontier 2'],
  ])("that is %s's", async (_, key, reason) => {
    await using temporary = await openTemporaryFolder();
    const other = await openStore(temporary.folder);
    await other.del('format');
    await other.put(key, 'platen-frontier 2');
    await other.close();
    expect(await refuse(temporary.folder)).toEqual(new FrontierError(`the folder is not a frontier's: ${reason}`));
  });

  it('that is in use', async () => {
    await using temporary = await openTemporaryFolder();
    await using frontier = await openFrontier({ folder: temporary.folder, delayMs: 0 });
    expect(await refuse(temporary.folder)).toEqual(new FrontierError('the frontier is in use by another process'));
    expect(frontier.counts.queued).toBe(0);
    await expect(assertUnused(temporary.folder)).rejects.toEqual(new FrontierError('the frontier is in use by another process'));
  });

  it.each([
    ['No space left on device', 'the disk is full'],
    ['Read-only file system', "the frontier's folder cannot be written: Read-only file system"],
    ['Input/output error', 'the frontier is corrupt or not readable: LEVEL_IO_ERROR'],
  ])('whose disk says: %s', (words, message) => {
    const error = Object.assign(new Error(`IO error: /a: b/000005.log: ${words}`), { code: 'LEVEL_IO_ERROR' });
    expect(toFrontierError(error)).toEqual(new FrontierError(message));
  });

  it('that is missing, damaged or closed is not in use', async () => {
    await using temporary = await filled();
    await assertUnused(temporary.folder);
    await rm(join(temporary.folder, 'CURRENT'));
    await assertUnused(temporary.folder);
    await assertUnused(join(temporary.folder, 'missing'));
  });

  it('that lacks a file', async () => {
    await using temporary = await filled();
    await rm(join(temporary.folder, 'CURRENT'));
    expect(await refuse(temporary.folder)).toEqual(new FrontierError('the frontier is corrupt: its file CURRENT is missing'));
  });

  it('that lacks a URL', async () => {
    await using temporary = await filled();
    const store = await openStore(temporary.folder);
    await store.del((await store.keys({ gt: 'q/', limit: 1 }).all())[0] ?? '');
    await store.close();
    expect(await refuse(temporary.folder)).toEqual(new FrontierError('the frontier is corrupt: it holds 4999 URLs instead of 5000'));
  });

  it.each([
    ['whose manifest was overwritten', 'MANIFEST', (file: string) => writeFile(file, Buffer.alloc(100, 'x'))],
    ['whose table was overwritten', '.ldb', (file: string) => writeFile(file, Buffer.alloc(4000, 'x'))],
    ['whose table was cut', '.ldb', (file: string) => truncate(file, 50_000)],
    ['whose table is missing', '.ldb', (file: string) => rm(file)],
  ])('%s', async (_, kind, damage) => {
    await using temporary = await filled();
    const { folder } = temporary;
    // Opening writes the log to a table.
    await (await openFrontier({ folder, delayMs: 0 }))[Symbol.asyncDispose]();
    const name = (await readdir(folder)).find((file) => file.includes(kind));
    if (name === undefined) throw new Error('there is no such file');
    await damage(join(folder, name));
    const error = await refuse(folder);
    expect(error).toBeInstanceOf(FrontierError);
    expect(String(error)).toMatch('the frontier is corrupt');
    expect(String(error)).not.toMatch(folder);
  });
});
