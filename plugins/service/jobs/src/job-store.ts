import { open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isStalePartial, type Logger, partialPath } from '@platen/kernel';
import { hasEnded, type JobRecord } from './job.js';

const RECORD = '.json';
/** They may contain cookies and credentials. */
const PARAMS = '.params';
const LOCK = 'server';
const LOCK_RENEWAL_MS = 10_000;
/** A lock that was not renewed for this long is one of a container that has ended. */
const LOCK_LOST_MS = 60_000;
/** After this, `isStalePartial` considers a file of an unknown process stale. */
const RESTING_MS = 3_600_000;

/**
 * All jobs: in memory, and in files of a private folder that a restart reads: `ID.json`, and `ID.params` until the job has ended. Each file
 * appears complete or not at all.
 */
export class JobStore {
  readonly #folder: string;
  readonly #log: Logger;
  readonly #lock: FolderLock;
  readonly #jobs: Map<string, JobRecord>;
  /** Bytes of the parameters of each job that has not ended. */
  readonly #sizes: Map<string, number>;
  #writing: Promise<unknown> = Promise.resolve();

  private constructor({ folder, log, lock, jobs, sizes }: StoreParts) {
    this.#folder = folder;
    this.#log = log;
    this.#lock = lock;
    this.#jobs = jobs;
    this.#sizes = sizes;
  }

  /** @throws Error if another server uses the folder: both would start its jobs */
  static async open(folder: string, log: Logger): Promise<JobStore> {
    const lock = await lockFolder(folder);
    return new JobStore({ folder, log, lock, ...(await load(folder, log)) });
  }

  /** Oldest first. */
  get jobs(): ReadonlyMap<string, JobRecord> {
    return this.#jobs;
  }

  get paramBytes(): number {
    return [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Resolves once the job would outlive the process. If this rejects, nothing of the job remains. */
  async create(job: JobRecord, raw: unknown): Promise<void> {
    const params = JSON.stringify(raw);
    this.#jobs.set(job.id, job);
    this.#sizes.set(job.id, Buffer.byteLength(params));
    try {
      // The record is last: without parameters it would be of no use.
      await writeWhole(this.#pathOf(job.id, PARAMS), params);
      await this.#inTurn(() => writeWhole(this.#pathOf(job.id, RECORD), JSON.stringify(job)));
    } catch (error) {
      await this.remove(job.id);
      throw error;
    }
  }

  /**
   * Takes effect immediately; resolves once it is written. Ended jobs lose their parameters. Never rejects: it is logged if the change
   * cannot be written.
   */
  async update(id: string, change: Partial<JobRecord>): Promise<void> {
    const before = this.#jobs.get(id);
    if (before === undefined) return;
    this.#jobs.set(id, { ...before, ...change });
    const write = async () => {
      const now = this.#jobs.get(id);
      if (now === undefined) return;
      // Even if the record cannot be written.
      if (hasEnded(now)) await this.#removeParams(id);
      await writeWhole(this.#pathOf(id, RECORD), JSON.stringify(now));
    };
    await this.#inTurn(write).catch((error: unknown) => {
      this.#log.error({ err: error }, 'a job could not be stored: a restart will not know its present state');
    });
  }

  async readParams(id: string): Promise<unknown> {
    return JSON.parse(await readFile(this.#pathOf(id, PARAMS), 'utf8')) as unknown;
  }

  remove(id: string): Promise<void> {
    this.#jobs.delete(id);
    return this.#inTurn(async () => {
      await rm(this.#pathOf(id, RECORD), { force: true });
      await this.#removeParams(id);
    });
  }

  /** Resolves once everything is written. */
  async close(): Promise<void> {
    await this.#writing;
    clearInterval(this.#lock.timer);
    await rm(this.#lock.path, { force: true });
  }

  #pathOf(id: string, ending: string): string {
    return join(this.#folder, id + ending);
  }

  async #removeParams(id: string): Promise<void> {
    this.#sizes.delete(id);
    await rm(this.#pathOf(id, PARAMS), { force: true });
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const turn = this.#writing.then(work);
    this.#writing = turn.catch(() => undefined);
    return turn;
  }
}

interface StoreParts {
  readonly folder: string;
  readonly log: Logger;
  readonly lock: FolderLock;
  readonly jobs: Map<string, JobRecord>;
  readonly sizes: Map<string, number>;
}

async function writeWhole(path: string, text: string): Promise<void> {
  const part = partialPath(path);
  try {
    await using file = await open(part, 'w', 0o600);
    await file.writeFile(text);
    await file.datasync();
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  await rename(part, path);
}

interface FolderLock {
  readonly path: string;
  readonly timer: NodeJS.Timeout;
}

async function lockFolder(folder: string): Promise<FolderLock> {
  const path = partialPath(join(folder, LOCK));
  for (const name of await readdir(folder)) {
    const other = join(folder, name);
    if (!name.startsWith(`${LOCK}.`) || other === path) continue;
    if (await isStalePartial(other, Date.now() + RESTING_MS - LOCK_LOST_MS)) await rm(other, { force: true });
    else throw new Error('another server uses it: each needs a directory of its own');
  }
  await writeFile(path, '', { mode: 0o600 });
  const renew = () => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  };
  return { path, timer: setInterval(renew, LOCK_RENEWAL_MS).unref() };
}

/** Reads the jobs that an earlier process has left, and removes its incomplete files. */
async function load(folder: string, log: Logger): Promise<Pick<StoreParts, 'jobs' | 'sizes'>> {
  const names = (await readdir(folder)).filter((name) => !name.startsWith(`${LOCK}.`));
  const found: JobRecord[] = [];
  // One after another: there may be more records than this process may open files.
  for (const name of names.filter((each) => each.endsWith(RECORD))) {
    const job = await readRecord(join(folder, name), log);
    if (job !== undefined) found.push(job);
  }
  found.sort((a, b) => a.createdAt - b.createdAt);
  const jobs = new Map(found.map((job) => [job.id, job]));
  const sizes = new Map<string, number>();
  for (const name of names.filter((each) => !each.endsWith(RECORD))) {
    const job = name.endsWith(PARAMS) ? jobs.get(name.slice(0, -PARAMS.length)) : undefined;
    if (job === undefined || hasEnded(job)) await rm(join(folder, name), { force: true });
    else sizes.set(job.id, (await stat(join(folder, name))).size);
  }
  return { jobs, sizes };
}

async function readRecord(path: string, log: Logger): Promise<JobRecord | undefined> {
  try {
    // Written by this module, complete.
    return JSON.parse(await readFile(path, 'utf8')) as JobRecord;
  } catch (error) {
    log.warn({ err: error }, 'the record of a job cannot be read: the job is skipped');
    return undefined;
  }
}
