import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { takeLock } from '../../server/setup/lock.mjs';

const unwaited = {
  timeoutMs: 60_000,
  onWait: () => {
    throw new Error('nobody holds this lock');
  },
};

describe('the lock of a clone', () => {
  it('lets one in at a time, and the next when the first is done', async () => {
    const clone = `/clone/${process.pid}/one`;
    const order: string[] = [];
    const release = await takeLock(clone, unwaited);
    const second = new Promise<void>((resolve, reject) => {
      const waiting = () => {
        order.push('second waits');
        resolve();
      };
      takeLock(clone, { timeoutMs: 60_000, onWait: waiting }).then(async (release2) => {
        order.push('second is in');
        await release2();
      }, reject);
    });
    await second;
    order.push('first leaves');
    await release();
    await expect.poll(() => order).toEqual(['second waits', 'first leaves', 'second is in']);
  });

  it('is free when its holder was killed', async () => {
    const clone = `/clone/${process.pid}/killed`;
    const module = new URL('../../server/setup/lock.mjs', import.meta.url).href;
    const code = `const { takeLock } = await import(${JSON.stringify(module)}); await takeLock(${JSON.stringify(clone)}, { timeoutMs: 1000 }); console.log('held'); setInterval(() => {}, 1e9);`;
    const holder = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: ['ignore', 'pipe', 'inherit'] });
    await once(holder.stdout, 'data');
    const release = await takeLock(clone, { timeoutMs: 60_000, onWait: () => holder.kill('SIGKILL') });
    expect(holder.signalCode ?? (await once(holder, 'exit'))[1]).toBe('SIGKILL');
    await release();
  });

  it('is not waited for without end', async () => {
    const clone = `/clone/${process.pid}/held`;
    const release = await takeLock(clone, unwaited);
    await expect(takeLock(clone, { timeoutMs: 50, onWait: () => undefined })).rejects.toMatchObject({
      name: 'SetupError',
      advice: expect.stringContaining('setup.mjs'),
    });
    await release();
  });

  it('of one clone does not hold up another', async () => {
    const releases = await Promise.all(['a', 'b'].map((name) => takeLock(`/clone/${process.pid}/${name}`, unwaited)));
    await Promise.all(releases.map((release) => release()));
    expect(releases).toHaveLength(2);
  });
});
