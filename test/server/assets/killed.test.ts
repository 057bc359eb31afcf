import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { silentLogger } from '@platen/kernel';
import { expect, it } from 'vitest';
import { DiskStore } from '../../../server/src/assets/disk-store.js';

const WRITER = fileURLToPath(new URL('./writer-to-kill.mjs', import.meta.url));

it('L4: a process that is killed while it takes assets in leaves those that are whole and published, and nothing that is served beside them', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-'));
  // Without the test runner's own settings.
  const writer = fork(WRITER, [folder], { execArgv: [] });
  try {
    // What the writer tells of its assets.
    const [{ whole, unpublished }] = (await once(writer, 'message')) as [{ whole: string; unpublished: string }];
    writer.kill('SIGKILL');
    await once(writer, 'exit');
    const names = await readdir(folder);
    const half = names.map((name) => name.slice(0, 22)).find((id) => id !== whole && id !== unpublished);
    if (half === undefined) throw new Error('nothing was being written');

    const store = new DiskStore({ folders: [folder], lifetimeSeconds: 60, maxBytes: 2 ** 30, log: silentLogger });
    for (const id of [unpublished, half]) expect(await store.find(id)).toBeUndefined();
    const found = await store.find(whole);
    if (found === undefined || found === 'expired') throw new Error('the published asset is lost');
    expect(await text(found.asset.open())).toBe('whole');

    await store.sweep();
    expect((await readdir(folder)).sort()).toEqual([whole, `${whole}.json`]);
    store.close();
  } finally {
    writer.kill('SIGKILL');
    await rm(folder, { recursive: true });
  }
});
