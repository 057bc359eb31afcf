import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { findBrowsers } from '../../../../kernel/src/browser/process/executable.js';
import { fileIdentity, RunningExecutables } from '../../../../kernel/src/browser/process/running-executables.js';
import { openPool } from '../open-pool.js';

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'platen-test-binaries-'));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

it('a file that is replaced is another', async () => {
  const [file, update] = [join(folder, 'file'), join(folder, 'update')];
  expect(await fileIdentity(file)).toBe('');
  await writeFile(file, 'former');
  const former = await fileIdentity(file);
  expect(await fileIdentity(file)).toBe(former);
  await writeFile(update, 'the latter');
  await rename(update, file);
  expect(await fileIdentity(file)).not.toBe(former);
});

it('of what runs is told all, and of what ran last where nothing does', () => {
  const binaries = new RunningExecutables();
  const [one, two] = [{}, {}];
  binaries.add(one, { path: '/a', identity: 'former' });
  binaries.add(two, { path: '/a', identity: 'latter' });
  expect([...binaries.read()]).toEqual([['/a', 'former, latter']]);
  binaries.delete(one);
  expect([...binaries.read()]).toEqual([['/a', 'latter']]);
  binaries.delete(two);
  expect([...binaries.read()]).toEqual([['/a', 'latter']]);
});

it('a pool tells of its browser as it was when that was started', async () => {
  const { shell, full } = await findBrowsers();
  const path = (shell ?? full)?.path ?? '';
  await using pool = openPool();
  expect(pool.pool.status().started.size).toBe(0);
  await pool.lease();
  expect([...pool.pool.status().started]).toEqual([[path, await fileIdentity(path)]]);
});
