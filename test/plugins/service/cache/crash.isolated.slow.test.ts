import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Readable } from 'node:stream';
import { silentLogger } from '@platen/kernel';
import { afterEach, expect, it } from 'vitest';
import { EntryStore } from '../../../../plugins/service/cache/src/entry-store.js';
import { closeAll, makeFolder } from './cached-server.js';

afterEach(closeAll);

const WRITER = fileURLToPath(new URL('write-entries.mjs', import.meta.url));

/** Kills a writer in the middle of its work: after so many entries were begun, and so many turns of the event loop. */
async function writeUntilKilled(folder: string, { entries, turns }: { readonly entries: number; readonly turns: number }): Promise<void> {
  const child = spawn(process.execPath, [WRITER, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  let begun = 0;
  while (begun < entries) {
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    begun += String(chunk).split('\n').length - 1;
  }
  for (let turn = 0; turn < turns; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  child.kill('SIGKILL');
  expect(await exited).toEqual([null, 'SIGKILL']);
}

it('L4: killed at any moment, a writer leaves each entry whole or absent, and no part behind the next start', async () => {
  const folder = await makeFolder();
  const damaged: unknown[] = [];
  const log = { ...silentLogger, warn: (fields: object) => damaged.push(fields) };
  let found = 0;
  for (let round = 0; round < 12; round += 1) {
    await writeUntilKilled(folder, { entries: 1 + ((round * 13) % 29), turns: (round * 37) % 101 });
    const store = new EntryStore({ folder, maxBytes: 1024 ** 3, ttlMs: 3_600_000, log });
    await store.sweep();
    const names = await readdir(folder);
    expect(names.filter((name) => !/^[0-9a-f]{64}$/.test(name))).toEqual([]);
    for (const key of names) {
      const kept = await store.find(key);
      if (kept === undefined) throw new Error(`the entry ${key} is damaged`);
      const body = kept.open();
      expect(body instanceof Readable ? undefined : createHash('sha256').update(body).digest('hex')).toBe(kept.record.sha256);
      found += 1;
    }
  }
  expect(damaged).toEqual([]);
  expect(found).toBeGreaterThan(12);
}, 240_000);
