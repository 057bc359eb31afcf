import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../../../helpers/until.js';
import { createWorkerPool, isOutOfMemory, type WorkerPool } from '../../../../plugins/lib/worker/src/index.js';

const MODULE = new URL('./echo-worker.js', import.meta.url);
const { signal } = new AbortController();

let pool: WorkerPool<unknown, unknown>;
const open = (options: Partial<Parameters<typeof createWorkerPool>[1]> = {}) =>
  (pool = createWorkerPool(MODULE, { idleMs: 60_000, ...options }));
afterEach(() => pool.close());

describe('a worker pool', () => {
  it('runs the default export of a TypeScript source in another thread', async () => {
    const { run } = open();
    expect(await run({ text: 'é', bytes: new Uint8Array([1, 2]) }, { signal })).toEqual({ text: 'é', bytes: new Uint8Array([1, 2]) });
    expect(await run('thread', { signal })).toBeGreaterThan(0);
  });

  it('keeps a worker for the next run', async () => {
    const { run } = open();
    expect(await run('thread', { signal })).toBe(await run('thread', { signal }));
  });

  it('starts another one for a run at the same time, and no more than its size', async () => {
    const { run } = open({ size: 2 });
    const threads = await Promise.all([run('thread', { signal }), run('thread', { signal }), run('thread', { signal })]);
    expect(new Set(threads).size).toBe(2);
  });

  it('gives a worker the room for what it soon drops that was asked for', async () => {
    expect(await open({ youngMiB: 96 }).run('young', { signal })).toBe(96);
  });

  it('ends a worker that is idle', async () => {
    const { run } = open({ idleMs: 1 });
    const first = await run('thread', { signal });
    await until(async () => (await run('thread', { signal })) !== first);
  });

  it('rejects with what the function threw, and keeps its worker', async () => {
    const { run } = open();
    const before = await run('thread', { signal });
    await expect(run('throw', { signal })).rejects.toMatchObject({ name: 'TypeError', message: 'thrown in the worker' });
    expect(await run('thread', { signal })).toBe(before);
  });

  it('rejects a run whose worker dies, and does the next one in another', async () => {
    const { run } = open();
    await expect(run('die', { signal })).rejects.toThrow('exited without a result');
    expect(await run('next', { signal })).toBe('next');
  });

  it('ends a worker that takes more memory than it may have, says so, and goes on', async () => {
    const { run } = open({ oldMiB: 32 });
    const failed: unknown = await run('hoard', { signal }).catch((error: unknown) => error);
    expect(isOutOfMemory(failed)).toBe(true);
    expect(await run('next', { signal })).toBe('next');
  });

  it('refuses an input that threads cannot hand over, and goes on', async () => {
    const { run } = open();
    await expect(run(() => undefined, { signal })).rejects.toMatchObject({ name: 'DataCloneError' });
    expect(await run('next', { signal })).toBe('next');
  });

  it('ends the worker of an aborted run, however busy it is', async () => {
    const { run } = open({ size: 1 });
    const controller = new AbortController();
    const looping = run('loop', { signal: controller.signal });
    const reason = new Error('time is up');
    controller.abort(reason);
    await expect(looping).rejects.toBe(reason);
    expect(await run('next', { signal })).toBe('next');
  });

  it('rejects what runs, and what comes later, once it is closed', async () => {
    const { run, close } = open();
    await run('warm', { signal });
    const looping = expect(run('loop', { signal })).rejects.toThrow(/ended|closed/);
    await close();
    await looping;
    await expect(run('late', { signal })).rejects.toThrow('closed');
  });

  it('says so where the module cannot be loaded', async () => {
    pool = createWorkerPool(new URL('./nowhere.js', import.meta.url), { idleMs: 60_000 });
    await expect(pool.run(1, { signal })).rejects.toThrow(/nowhere/);
  });
});

describe('an idle worker', () => {
  it('keeps no process alive', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
    try {
      const library = pathToFileURL(join(import.meta.dirname, '../../../../plugins/lib/worker/dist/index.js')).href;
      await writeFile(join(folder, 'work.mjs'), 'export default (input) => input + 1;');
      const program = `import { createWorkerPool } from ${JSON.stringify(library)};
        const pool = createWorkerPool(new URL('./work.mjs', import.meta.url), { idleMs: 2 ** 30 });
        console.log(await pool.run(1, { signal: new AbortController().signal }));`;
      await writeFile(join(folder, 'main.mjs'), program);
      const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'main.mjs')]);
      expect(stdout).toBe('2\n');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
