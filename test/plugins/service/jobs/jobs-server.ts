import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin } from '@platen/kernel';
import jobs from '@platen/plugin-jobs';
import { afterEach } from 'vitest';
import { openServer, rendered, type FakeRender, type TestServer, type TestServerOptions } from '../../../server/test-server.js';

export const ASYNC = { prefer: 'respond-async' };
export const PAGE = 'url=http://a.test/';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
});

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-jobs-'));
  open.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  return folder;
}

/** A job as `GET /jobs/{id}` shows it. */
export interface ShownJob {
  readonly id: string;
  readonly state: string;
  readonly progress?: Readonly<Record<string, unknown>>;
  readonly output?: { readonly url: string; readonly content_type: string; readonly bytes: number };
  readonly assets?: readonly { readonly name: string; readonly url: string }[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly problem?: { readonly code: string; readonly detail: string; readonly instance: string };
  readonly webhook?: { readonly attempts: number; readonly outcome?: string };
}

export interface JobsServer extends TestServer {
  /** Of `--server-enable-jobs`. */
  readonly folder: string;
  /** Creates a job; its path. */
  create(query?: string, headers?: Readonly<Record<string, string>>): Promise<string>;
  /** The job at a path, now. */
  show(path: string, headers?: Readonly<Record<string, string>>): Promise<ShownJob>;
  /** The job once it has ended. */
  ended(path: string, headers?: Readonly<Record<string, string>>): Promise<ShownJob>;
  cancel(path: string): Promise<Response>;
  /** Everything in the folder: text by file name. */
  files(): Promise<Readonly<Record<string, string>>>;
  /** Ends the server before its test does, as a restart does. */
  close(): Promise<void>;
}

/** A render of a page with cookies is not repeated. */
const effects = definePlugin({
  name: 'effects',
  plan({ params, disableRetry }) {
    if ('cookie' in params) disableRetry();
  },
});

export async function openJobsServer({ folder, plugins = [], flags = {}, ...options }: TestServerOptions & { folder?: string } = {}) {
  const root = folder ?? (await makeFolder());
  const server = await openServer({ ...options, plugins: [effects, jobs, ...plugins], flags: { 'server-enable-jobs': root, ...flags } });
  open.push(server);
  const show = async (path: string, headers: Readonly<Record<string, string>> = {}): Promise<ShownJob> => {
    const response = await fetch(server.url + path, { headers });
    if (response.status !== 200) throw new Error(`${path} is ${String(response.status)}: ${await response.text()}`);
    return (await response.json()) as ShownJob;
  };
  const jobsServer: JobsServer = {
    ...server,
    folder: root,
    show,
    async create(query = PAGE, headers = {}) {
      const response = await server.get(query, { headers: { ...ASYNC, ...headers } });
      if (response.status !== 202) throw new Error(`not accepted: ${await response.text()}`);
      return response.headers.get('location') ?? '';
    },
    async ended(path, headers) {
      for (;;) {
        const job = await show(path, { ...headers, prefer: 'wait=60' });
        if (!['queued', 'running'].includes(job.state)) return job;
      }
    },
    cancel: (path) => fetch(server.url + path, { method: 'DELETE' }),
    files: () => readFiles(root),
    async close() {
      open.splice(open.indexOf(server), 1);
      await server[Symbol.asyncDispose]();
    },
  };
  return jobsServer;
}

async function readFiles(root: string): Promise<Readonly<Record<string, string>>> {
  const folder = join(root, 'jobs-1');
  const names = await readdir(folder);
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const)));
}

/** What the next start finds if the process of the server is killed now. */
export async function killedFolder({ folder }: JobsServer): Promise<string> {
  const copy = await makeFolder();
  await cp(folder, copy, { recursive: true });
  return copy;
}

/** Renders that wait until they are released or aborted. */
export function heldRenders(phase = 'navigate') {
  const began: { readonly url: string; release(): void; readonly signal: AbortSignal | undefined }[] = [];
  const waiting = new Set<() => void>();
  const render: FakeRender = async (plan, options) => {
    options.onPhase?.(phase);
    options.onProgress?.({ done: 1, queued: 2, failed: 0, bytes: 3, url: 'http://a.test/secret' });
    await new Promise<void>((resolve, reject) => {
      began.push({ url: plan.url, release: resolve, signal: options.signal });
      options.signal?.addEventListener('abort', () => reject(options.signal?.reason as Error));
      if (options.signal?.aborted === true) reject(options.signal.reason as Error);
      for (const wake of waiting) wake();
    });
    return await rendered(plan, options);
  };
  return {
    render,
    began,
    /** Resolves once so many have begun. */
    async begun(count: number) {
      while (began.length < count) await new Promise<void>((resolve) => waiting.add(resolve));
    },
  };
}
