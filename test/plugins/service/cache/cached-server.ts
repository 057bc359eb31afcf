import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, type RenderResult } from '@platen/kernel';
import cache from '@platen/plugin-cache';
import { until } from '../../../helpers/until.js';
import { openServer, output, rendered, type FakeRender, type TestServer, type TestServerOptions } from '../../../server/test-server.js';

const open: AsyncDisposable[] = [];

/** For `afterEach`. */
export async function closeAll(): Promise<void> {
  for (const each of open.splice(0).reverse()) await each[Symbol.asyncDispose]();
}

/** Before its time: as a restart does. */
export async function closeNow(server: CachedServer): Promise<void> {
  open.splice(open.indexOf(server), 1);
  await server[Symbol.asyncDispose]();
}

/** Keys that other plugins own: a cache must know them all the same. */
const keys = definePlugin({
  name: 'keys',
  params: {
    header: { type: 'array', items: { type: 'string' }, 'x-uncached': true, description: 'Headers.' },
    with_storage: { type: ['object', 'boolean'], 'x-uncached': true, description: 'Storage.' },
    diagnostics: { type: 'boolean', default: false, 'x-uncached': true, description: 'Report.' },
    navigate: { type: 'string', 'x-uncached': true, description: 'Goal.' },
    proxy: { type: 'string', 'x-secret': true, description: 'Secret.' },
    llm_format_model: { type: 'string', description: 'Model.' },
  },
});

export interface CachedServer extends TestServer {
  /** What it was started with. */
  readonly flags: Readonly<Record<string, unknown>>;
  /** Of the cache: what `--server-cache` names. */
  readonly folder: string;
  /** Files of the cache. */
  files(): Promise<readonly string[]>;
  /** Resolves once so many results lie there, whole. */
  kept(count: number): Promise<void>;
  /** How many renders there were. */
  renders(): number;
}

export interface CachedServerOptions extends TestServerOptions {
  /** One that is there already. */
  readonly folder?: string;
}

/** Each render gives another picture: `picture 1`, `picture 2`. */
export async function openCached({
  folder,
  plugins = [],
  flags = {},
  render,
  ...options
}: CachedServerOptions = {}): Promise<CachedServer> {
  const root = folder ?? (await makeFolder());
  const given = { 'server-cache': root, ...flags };
  let count = 0;
  const counted: FakeRender = (plan, renderOptions) => {
    count += 1;
    return (render ?? picture(count))(plan, renderOptions);
  };
  const server = await openServer({
    ...options,
    plugins: [keys, cache, ...plugins],
    flags: given,
    render: counted,
  });
  const files = () => listEntries(root);
  const cached: CachedServer = {
    ...server,
    flags: given,
    folder: root,
    files,
    kept: (wanted) => until(async () => (await files()).filter((file) => !file.endsWith('.part')).length === wanted),
    renders: () => count,
  };
  open.push(cached);
  return cached;
}

export async function makeFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-cache-'));
  open.push({ [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) });
  return folder;
}

export function picture(count: number): FakeRender {
  return async (plan, options) => {
    const result = await rendered(plan, options);
    return { ...result, output: output('png', Buffer.from(`picture ${String(count)}`)) };
  };
}

async function listEntries(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  return names.filter((name) => /[0-9a-f]{64}$|part$/.test(name)).map((name) => join(folder, name));
}

/** The result with another body. */
export async function renderedAs(body: RenderResult['output']['body'], more: Partial<RenderResult> = {}): Promise<RenderResult> {
  const result = await rendered({ output: { extension: 'png' } } as Parameters<FakeRender>[0], {});
  return { ...result, output: { ...result.output, body }, ...more };
}
