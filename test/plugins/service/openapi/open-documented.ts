import {
  definePlugin,
  discoverPlugins,
  loadPlugins,
  NO_ASSETS,
  PlatenError,
  selectPlugins,
  type LoadedPlugin,
  type Plugin,
} from '@platen/kernel';
import type {} from '@platen/server';
import { openServer, type FakeRender, type TestServer } from '../../../server/test-server.js';

const ROOT = new URL('../../../..', import.meta.url).pathname;

/** Any JSON object of the document: what is in it is checked by expectations. */
// oxlint-disable-next-line typescript/no-explicit-any -- a document of 130 kB whose type would say it all once more
export type Document = any;

/** Every plugin of this repository. */
export async function loadAll(): Promise<readonly LoadedPlugin[]> {
  const { enabled } = selectPlugins(await discoverPlugins({ installation: ROOT, operatorDir: ROOT }), {});
  return (await loadPlugins(enabled)).loaded;
}

/** Answers with the content type that the plan names, and with bytes that say what was asked for. */
const answerAsPlanned: FakeRender = ({ output: { contentType, extension, type } }) =>
  Promise.resolve({
    output: { contentType, extension, body: Buffer.from(`a ${type}`) },
    assets: NO_ASSETS,
    headers: { 'X-Target-Status': '200' },
    timings: { queue: 0.25, open: 1, navigate: 2, wait: 3, capture: 4, encode: 5 },
  });

export interface DocumentedServer extends TestServer {
  readonly document: Document;
}

interface Options {
  readonly more?: readonly Plugin[];
  readonly flags?: Readonly<Record<string, unknown>>;
  readonly render?: FakeRender;
  /** Sent with the request for the document. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** A server with every plugin, whose renders are played, and its document. */
export async function openDocumented({
  more = [],
  flags = {},
  render = answerAsPlanned,
  headers = {},
}: Options = {}): Promise<DocumentedServer> {
  const given = new Set(more.map(({ name }) => name));
  const all = (await loadAll()).filter(({ definition: { name } }) => !given.has(name));
  const only = [...all, ...more.map((definition) => ({ definition, packageName: `test/${definition.name}`, version: '0.0.0' }))];
  const server = await withoutStacks(() =>
    openServer({ only, render, flags: { 'server-enable-docs': true, 'egress-allow-proxy': true, ...flags } }),
  );
  const response = await fetch(`${server.url}/openapi.json`, { headers });
  return { ...server, document: await response.json() };
}

/** Starting refuses thousands of plans for the document: the test runner would look up the sources of each stack, which takes seconds. */
async function withoutStacks<T>(start: () => Promise<T>): Promise<T> {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return await start();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

/** Plays a plugin that asks for credentials: lets in who sends the header, but for `/status`. */
function asking(name: string, flag: string, accepts: (header: string | undefined) => boolean, challenge: string): Plugin {
  return definePlugin({
    name,
    flags: { [flag]: { type: 'array', items: { type: 'string' }, description: 'Secrets.', 'x-secret': true } },
    serve({ hooks, isGiven }) {
      if (!isGiven(flag)) return;
      hooks.authorize.tap(name, ({ path, headers, header }) => {
        if (path === '/status' || accepts(headers.authorization?.toString())) return {};
        header('WWW-Authenticate', challenge);
        throw new PlatenError('unauthorized', 'credentials are required');
      });
    },
  });
}

export const TOKEN = asking('auth-token', 'server-token-auth', (header) => header === 'Bearer yes', 'Bearer');
export const BASIC = asking('auth-basic', 'server-basic-auth', (header) => header === `Basic ${btoa('me:pw')}`, 'Basic realm="platen"');
export const SIGNED = asking('auth-signed-url', 'server-signed-url', () => true, 'Signature');
