import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createKernel,
  definePlugin,
  silentLogger,
  type Kernel,
  type LoadedPlugin,
  type Logger,
  type Plugin,
  type RenderOptions,
  type RenderPlan,
  type RenderResult,
  NO_ASSETS,
} from '@platen/kernel';
import { createServer, type RequestRecord, type Server } from '@platen/server';
import { afterEach } from 'vitest';

/** Declares keys of several kinds and outputs of two content types; nothing of it needs a browser. */
export const fakePlugin = definePlugin({
  name: 'fake',
  captures: [{ kind: 'fake' }],
  outputs: [
    { type: 'png', from: 'fake', contentType: 'image/png', extension: 'png' },
    { type: 'html', from: 'fake', contentType: 'text/html; charset=utf-8', extension: 'html' },
  ],
  params: {
    full_page: { type: 'boolean', description: 'The whole page.' },
    browser_width: { type: 'integer', format: 'uint32', description: 'Width.' },
    device_scale_factor: { type: 'number', exclusiveMinimum: 0, maximum: 5, description: 'Scale.' },
    emulate_touch_points: { type: 'integer', minimum: 1, maximum: 16, description: 'Touch points.' },
    markdown_selector: { type: 'string', minLength: 1, 'x-refuses-empty': true, description: 'Selector.' },
    image_selector: { type: 'string', minLength: 1, description: 'Selector.' },
    cookie: { type: 'array', items: { type: 'string', minLength: 1 }, 'x-uncached': true, description: 'Cookies.' },
    navigator_data: { type: 'object', additionalProperties: { type: 'string' }, 'x-sources': ['body', 'mcp'], description: 'Data.' },
  },
  apply({ hooks }) {
    hooks.capture.for('fake').tap('fake', () => 'captured');
    hooks.encode.for('png').tap('fake', () => output('png'));
    hooks.encode.for('html').tap('fake', () => output('html'));
  },
});

export function output(extension: 'png' | 'html', body = Buffer.from(`a ${extension}`)) {
  return { contentType: extension === 'png' ? 'image/png' : 'text/html; charset=utf-8', extension, body };
}

export type FakeRender = (plan: RenderPlan, options: RenderOptions) => Promise<RenderResult>;

export const rendered: FakeRender = ({ output: { extension } }) =>
  Promise.resolve({
    output: output(extension === 'html' ? 'html' : 'png'),
    assets: NO_ASSETS,
    headers: { 'X-Target-Status': '200' },
    timings: { queue: 0.25, open: 1, navigate: 2, wait: 3, capture: 4, encode: 5 },
  });

export interface TestServer extends AsyncDisposable {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  readonly kernel: Kernel;
  /** Where additional assets lie. */
  readonly assetFolder: string;
  /** Finished requests, in order. */
  readonly records: readonly RequestRecord[];
  /** Resolves with the next finished request that fits. */
  finished(fits: (record: RequestRecord) => boolean): Promise<RequestRecord>;
  /** `GET /?...`, `POST /` with JSON. */
  get(query: string, init?: RequestInit): Promise<Response>;
  post(body: unknown, init?: RequestInit): Promise<Response>;
}

export interface TestServerOptions {
  /** Beside the fake one. */
  readonly plugins?: readonly Plugin[];
  /** Instead of the fake one and all others. */
  readonly only?: readonly LoadedPlugin[];
  readonly render?: FakeRender;
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly log?: Logger;
}

/** The real server on the real kernel's validation and planning; only the browser's part is played by `render`. */
export async function openServer({
  plugins = [],
  only = [fakePlugin, ...plugins].map(asLoaded),
  render = rendered,
  flags = {},
  log = silentLogger,
}: TestServerOptions = {}): Promise<TestServer> {
  const real = createKernel({ plugins: only, flags, log });
  let inFlight = 0;
  const kernel: Kernel = {
    ...real,
    async render(plan, options = {}) {
      inFlight += 1;
      try {
        return await render(plan, options);
      } finally {
        inFlight -= 1;
      }
    },
    status: () => ({ ...real.status(), inFlight }),
  };
  const assetFolder = await mkdtemp(join(tmpdir(), 'platen-test-assets-'));
  const server = createServer({ kernel, log, flags: { 'server-bind-port': 0, ...flags }, assetFolders: [assetFolder] });
  const records: RequestRecord[] = [];
  const waiting = new Set<(record: RequestRecord) => void>();
  server.hooks.finished.tap('test', (record) => {
    records.push(record);
    for (const tell of waiting) tell(record);
  });
  const url = await server.listen().catch(async (error: unknown) => {
    await rm(assetFolder, { recursive: true });
    throw error;
  });
  return {
    url,
    port: Number(new URL(url.startsWith('unix:') ? 'http://unix:0' : url).port),
    server,
    kernel,
    assetFolder,
    records,
    finished: (fits) =>
      new Promise((resolve) => {
        const tell = (record: RequestRecord) => {
          if (!fits(record)) return;
          waiting.delete(tell);
          resolve(record);
        };
        waiting.add(tell);
      }),
    get: (query, init) => fetch(`${url}/?${query}`, init),
    post: (body, init) =>
      fetch(`${url}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
        ...init,
      }),
    async [Symbol.asyncDispose]() {
      await server.close(0);
      await real.close(0);
      await rm(assetFolder, { recursive: true });
    },
  };
}

/** Servers for the tests of a file: each is closed after the test that opened it. */
export function useServers(): (options: TestServerOptions) => Promise<TestServer> {
  const open: TestServer[] = [];
  afterEach(async () => {
    for (const server of open.splice(0)) await server[Symbol.asyncDispose]();
  });
  return async (options) => {
    const server = await openServer(options);
    open.push(server);
    return server;
  };
}

/** A plugin that does nothing but serve. */
export function serving(serve: NonNullable<Plugin['serve']>): Plugin {
  return definePlugin({ name: 'guest', serve });
}

export function asLoaded(definition: Plugin): LoadedPlugin {
  return { definition, packageName: `test/${definition.name}`, version: '0.0.0' };
}
