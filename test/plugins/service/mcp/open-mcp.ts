import { Client as ClientV2, StreamableHTTPClientTransport as TransportV2 } from '@modelcontextprotocol/client';
import { StdioClientTransport as StdioV2 } from '@modelcontextprotocol/client/stdio';
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { LoadedPlugin } from '@platen/kernel';
import { afterEach } from 'vitest';
import { CLI } from '../../../helpers/run-cli.js';
import { openServer, type TestServer, type TestServerOptions } from '../../../server/test-server.js';
import { loadAll } from '../openapi/open-documented.js';

/** The two generations of the official SDK: protocols until 2025-11-25, and from 2026-07-28 on. */
export const GENERATIONS = ['v1', 'v2'] as const;
export type Generation = (typeof GENERATIONS)[number];

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly onprogress?: (note: {
    readonly progress: number;
    readonly total?: number | undefined;
    readonly message?: string | undefined;
  }) => void;
}

/** Any JSON object: what is in it is checked by expectations. */
// oxlint-disable-next-line typescript/no-explicit-any -- results of tools
export type Result = any;

/** A result of a tool with what its first text says of it. */
function withFacts(result: Result): Result {
  const [first] = result.content;
  return { ...result, facts: JSON.parse(first.text) };
}

/** What both generations do. */
export interface McpClient extends AsyncDisposable {
  tools(): Promise<readonly Result[]>;
  call(name: string, args?: Readonly<Record<string, unknown>>, options?: CallOptions): Promise<Result>;
  read(uri: string): Promise<Result>;
  readonly version: string | undefined;
}

export interface ConnectOptions {
  readonly headers?: Readonly<Record<string, string>>;
}

const INFO = { name: 'test', version: '1.0.0' };

async function connect(generation: Generation, url: string, { headers = {} }: ConnectOptions = {}): Promise<McpClient> {
  const endpoint = new URL('/mcp', url);
  const init = { requestInit: { headers } };
  return generation === 'v1' ? await openV1(new TransportV1(endpoint, init)) : await openV2(new TransportV2(endpoint, init));
}

/** Starts `platen mcp` as a desktop client does. */
async function spawnMcp(generation: Generation, args: readonly string[] = []): Promise<McpClient & { readonly pid: number }> {
  const env = Object.fromEntries(Object.entries(process.env).filter((pair): pair is [string, string] => pair[1] !== undefined));
  const program = { command: process.execPath, args: [CLI, 'mcp', ...args], env, stderr: 'ignore' as const };
  const transport = generation === 'v1' ? new StdioV1(program) : new StdioV2(program);
  const client = transport instanceof StdioV1 ? await openV1(transport) : await openV2(transport);
  return { ...client, pid: transport.pid ?? 0 };
}

async function openV1(transport: StdioV1 | TransportV1): Promise<McpClient> {
  const client = new ClientV1(INFO);
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options) => withFacts(await client.callTool({ name, arguments: args }, undefined, options)),
    read: (uri) => client.readResource({ uri }),
    version: transport instanceof TransportV1 ? transport.protocolVersion : undefined,
    [Symbol.asyncDispose]: () => client.close(),
  };
}

async function openV2(transport: StdioV2 | TransportV2): Promise<McpClient> {
  const client = new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } });
  await client.connect(transport);
  return {
    tools: async () => (await client.listTools()).tools,
    call: async (name, args = {}, options) => withFacts(await client.callTool({ name, arguments: args }, options)),
    read: (uri) => client.readResource({ uri }),
    version: client.getNegotiatedProtocolVersion(),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export interface McpServerOptions extends Omit<TestServerOptions, 'only'> {
  /** Of the plugins of this repository; default: all. */
  readonly enabled?: (name: string) => boolean;
  readonly more?: readonly LoadedPlugin[];
}

/** A server with the plugins of this repository, whose renders are played. */
async function openMcp({ enabled = () => true, more = [], flags = {}, ...options }: McpServerOptions = {}): Promise<TestServer> {
  const only = [...(await loadAll()).filter(({ definition: { name } }) => enabled(name)), ...more];
  return await openServer({ ...options, only, flags: { 'server-enable-mcp': true, ...flags } });
}

/** Servers and clients for the tests of a file: each is closed after its test. */
export function useMcp() {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const each of open.splice(0).toReversed()) await each[Symbol.asyncDispose]();
  });
  const keep = async <T extends AsyncDisposable>(opening: Promise<T>): Promise<T> => {
    const opened = await opening;
    open.push(opened);
    return opened;
  };
  return {
    serve: (options?: McpServerOptions) => keep(openMcp(options)),
    spawn: (generation: Generation, args?: readonly string[]) => keep(spawnMcp(generation, args)),
    connect: (generation: Generation, url: string, options?: ConnectOptions) => keep(connect(generation, url, options)),
  };
}
