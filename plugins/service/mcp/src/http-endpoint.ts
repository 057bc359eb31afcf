import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createMcpHandler, INVALID_REQUEST, PARSE_ERROR } from '@modelcontextprotocol/server';
import { isPlatenError, type Logger, PlatenError, type ServerApi } from '@platen/kernel';
import type { RouteContext } from '@platen/server';
import { createProtocol } from './protocol.js';
import { createResultMemory } from './result-memory.js';
import { createRunningCalls } from './running-calls.js';
import type { Caller } from './tools/tool.js';

export interface HttpEndpoint {
  /** `POST /mcp` */
  answer(ctx: RouteContext): Promise<void>;
  close(): Promise<void>;
}

const SESSION = 'Mcp-Session-Id';
/** Where a call of a tool has its arguments. */
const ARGUMENTS = ['params', 'arguments'];

/**
 * Streamable HTTP, without state: any server can answer any request. The SDK negotiates the protocol's version; authorization, `Host` and
 * `Origin` were checked before.
 */
export function createHttpEndpoint(server: ServerApi, log: Logger): HttpEndpoint {
  const open = createProtocol(server);
  const callers = new AsyncLocalStorage<Caller>();
  const calls = createRunningCalls();
  const memory = createResultMemory();
  const { fetch: handle, close } = createMcpHandler(() => open(callers.getStore() ?? { isHttp: true, reserve: () => false }), {
    // A render takes long: keep-alive comments from its beginning on.
    responseMode: 'sse',
    onerror(error) {
      log.debug({ err: error }, 'a request of the Model Context Protocol failed');
    },
  });
  return {
    async answer(ctx) {
      // Not the signal of the request: a call that the server ends (it stops) has a result that says so.
      const left = new AbortController();
      const leave = () => {
        left.abort();
      };
      ctx.res.once('close', leave);
      const body = await readBody(ctx, server);
      if (body === undefined) return;
      // One message, or the batch of a protocol until 2025-03-26.
      const messages: readonly unknown[] = [body].flat();
      const { id, identity, trace } = ctx.state;
      const client = { session: ctx.get(SESSION), identity };
      if (messages.some((message) => isObject(message) && message['method'] === 'initialize')) ctx.set(SESSION, randomUUID());
      calls.cancel(client, messages);
      const { reserve, release } = memory.open();
      const caller = {
        id,
        isHttp: true,
        reserve,
        ...(identity === undefined ? {} : { identity }),
        ...(trace === undefined ? {} : { trace }),
      };
      const request = toRequest(ctx, left.signal);
      const end = calls.begin(client, messages, leave);
      try {
        await send(ctx, await callers.run(caller, () => handle(request, { parsedBody: body })));
      } finally {
        release();
        end();
      }
    },
    close,
  };
}

/** Undefined if the body was refused, by an error of JSON-RPC with the status of the error. */
async function readBody(ctx: RouteContext, server: ServerApi): Promise<unknown> {
  try {
    const body = await server.readJson(ctx, ARGUMENTS);
    if (body === undefined) throw new PlatenError('malformed_request', 'the body is empty: send a JSON-RPC message');
    return body;
  } catch (error) {
    if (!isPlatenError(error) || error.code === 'client_closed') throw error;
    ctx.state.error ??= error;
    ctx.status = error.status;
    const code = error.code === 'malformed_request' ? PARSE_ERROR : INVALID_REQUEST;
    ctx.body = { jsonrpc: '2.0', id: null, error: { code, message: error.message, data: { code: error.code } } };
    return undefined;
  }
}

/** What the SDK reads of a request, whose body has been read. */
function toRequest({ headers }: RouteContext, signal: AbortSignal): Request {
  const read = Object.entries(headers).flatMap(([name, value]): [string, string][] =>
    typeof value === 'string' && /^(?:accept|content-type|mcp-.*)$/.test(name) ? [[name, value]] : [],
  );
  return new Request('http://localhost/mcp', { method: 'POST', headers: read, signal });
}

async function send(ctx: RouteContext, { status, headers, body }: Response): Promise<void> {
  ctx.respond = false;
  ctx.res.writeHead(status, Object.fromEntries(headers));
  if (body === null) {
    ctx.res.end();
    return;
  }
  ctx.res.flushHeaders();
  // A client that leaves breaks the response: the server records it.
  await pipeline(readChunks(body, ctx), ctx.res).catch(() => undefined);
}

async function* readChunks(body: ReadableStream<Uint8Array>, { state }: RouteContext): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  try {
    for (let { done, value } = await reader.read(); !done && value !== undefined; { done, value } = await reader.read()) {
      state.bytes += value.length;
      yield value;
    }
  } finally {
    await reader.cancel();
  }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
