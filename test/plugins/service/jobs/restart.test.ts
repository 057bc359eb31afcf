import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@platen/kernel';
import limits from '@platen/plugin-limits';
import { describe, expect, it } from 'vitest';
import { JobStore } from '../../../../plugins/service/jobs/src/job-store.js';
import { rendered } from '../../../server/test-server.js';
import { heldRenders, killedFolder, makeFolder, openJobsServer, PAGE } from './jobs-server.js';

const SECRET = 'canary-of-a-cookie';
const WITH_EFFECTS = `${PAGE}&cookie=sid=${SECRET}`;

describe('a restart', () => {
  it('that drains: running and queued jobs are rendered by the next start', async () => {
    const held = heldRenders();
    const flags = { 'server-max-concurrency': 1 };
    const first = await openJobsServer({ render: held.render, plugins: [limits], flags });
    const paths = [await first.create(), await first.create('url=http://b.test/')];
    await held.begun(1);
    await first.close();
    const { folder } = first;
    const second = await openJobsServer({ folder, plugins: [limits], flags });
    for (const path of paths) expect(await second.ended(path)).toMatchObject({ state: 'done' });
    expect(held.began).toHaveLength(1);
  });

  it('that drains lets a job end within the grace, and starts no other', async () => {
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render, plugins: [limits], flags: { 'server-max-concurrency': 1 } });
    await server.create();
    await server.create('url=http://b.test/');
    await held.begun(1);
    const closing = server.server.close(60_000);
    held.began[0]?.release();
    await closing;
    const records = Object.entries(await server.files()).filter(([name]) => name.endsWith('.json'));
    expect(records.map(([, text]) => (JSON.parse(text) as { state: string }).state).sort()).toEqual(['done', 'queued']);
    expect(held.began).toHaveLength(1);
  });

  it.each([
    ['begun, and it may be repeated', PAGE, 'navigate', { state: 'done' }],
    [
      'begun, and it may have side effects',
      WITH_EFFECTS,
      'navigate',
      { state: 'failed', problem: { code: 'browser_lost', retryable: false } },
    ],
    ['not begun', WITH_EFFECTS, 'open', { state: 'done' }],
  ])('that interrupts a job that has %s', async (_, query, phase, outcome) => {
    const held = heldRenders(phase);
    const first = await openJobsServer({ render: held.render });
    const path = await first.create(query);
    await held.begun(1);
    await first.close();
    const second = await openJobsServer({ folder: first.folder });
    expect(await second.ended(path)).toMatchObject(outcome);
  });

  it('after the process was killed: the same, and a job that has ended the process three times fails', async () => {
    const held = heldRenders();
    let folder: string | undefined;
    let path = '';
    for (const start of [1, 2, 3]) {
      const server = await openJobsServer({ render: held.render, ...(folder === undefined ? {} : { folder }) });
      path ||= await server.create();
      await held.begun(start);
      folder = await killedFolder(server);
    }
    const last = await openJobsServer({ ...(folder === undefined ? {} : { folder }) });
    expect(await last.show(path)).toMatchObject({ state: 'failed', problem: { code: 'browser_lost' } });
  });

  it('keeps ended jobs, without their parameters', async () => {
    const first = await openJobsServer();
    const path = await first.create(WITH_EFFECTS);
    const before = await first.ended(path);
    await first.close();
    expect(JSON.stringify(await first.files())).not.toContain(SECRET);
    const second = await openJobsServer({ folder: first.folder });
    expect(await second.show(path)).toEqual(before);
  });
});

it('an ended job expires with its links', async () => {
  const first = await openJobsServer();
  const path = await first.create();
  const { output } = await first.ended(path);
  await first.close();
  const store = await JobStore.open(join(first.folder, 'jobs-1'), silentLogger);
  await store.update(path.slice(6), { endedAt: Date.now() - 10_000 });
  await store.close();
  const flags = { 'server-additional-asset-expiration': 10 };
  const second = await openJobsServer({ folder: first.folder, flags });
  expect(output?.bytes).toBe(5);
  expect((await fetch(second.url + path)).status).toBe(404);
});

describe('the folder', () => {
  it('contains parameters in a file of their own while the job has not ended; no response and no log line does', async () => {
    const lines: unknown[] = [];
    const note = (fields: object, text: string) => void lines.push([fields, text]);
    const log: Logger = { ...silentLogger, debug: note, info: note, warn: note, error: note, child: () => log };
    const held = heldRenders();
    const server = await openJobsServer({ render: held.render, log });
    const path = await server.create(WITH_EFFECTS);
    await held.begun(1);
    const containing = Object.entries(await server.files()).filter(([, text]) => text.includes(SECRET));
    expect(containing.map(([name]) => name)).toEqual([`${path.slice('/jobs/'.length)}.params`]);
    expect(JSON.stringify(await server.show(path))).not.toContain(SECRET);
    held.began[0]?.release();
    expect(JSON.stringify(await server.ended(path))).not.toContain(SECRET);
    expect(JSON.stringify(await server.files())).not.toContain(SECRET);
    expect(lines.length).toBeGreaterThan(0);
    expect(JSON.stringify(lines)).not.toContain(SECRET);
  });

  it('with files that a killed process has left incomplete is cleaned, and a corrupt record is skipped', async () => {
    const first = await openJobsServer();
    const path = await first.create();
    await first.ended(path);
    await first.close();
    const at = (name: string) => join(first.folder, 'jobs-1', name);
    await writeFile(at('AAAAAAAAAAAAAAAAAAAAAA.json.1-1.part'), '{"id":');
    await writeFile(at('BBBBBBBBBBBBBBBBBBBBBB.params'), '{}');
    await writeFile(at('CCCCCCCCCCCCCCCCCCCCCC.json'), '{"id":');
    const second = await openJobsServer({ folder: first.folder });
    expect((await second.show(path)).state).toBe('done');
    const names = Object.keys(await second.files()).filter((name) => !name.startsWith('server.'));
    expect(names.sort()).toEqual([`${path.slice(6)}.json`, 'CCCCCCCCCCCCCCCCCCCCCC.json'].sort());
  });

  it('of another server that runs is refused', async () => {
    const folder = await makeFolder();
    const first = await openJobsServer({ folder });
    // Process 1 always runs.
    const lock = Object.keys(await first.files()).find((name) => name.startsWith('server.')) ?? '';
    await first.close();
    await writeFile(join(folder, 'jobs-1', lock.replace(`.${String(process.pid)}-`, '.1-')), '');
    await expect(openJobsServer({ folder })).rejects.toMatchObject({
      code: 'boot_invalid_flag',
      message: expect.stringContaining('another server'),
    });
  });

  it('that cannot be written to ends the start', async () => {
    await expect(openJobsServer({ folder: '/proc/jobs', render: rendered })).rejects.toMatchObject({
      code: 'boot_invalid_flag',
      message: expect.stringContaining('--server-enable-jobs'),
    });
  });
});
