import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type SeenRequest, type Step, writeStep } from '@platen/lib-models/testing';
import { DIALECTS, type Protocol } from './model-dialects.js';

/** `cut`: the connection ends within the body. `hang`: no response. `cut json`: a complete response whose JSON is not. */
export type ModelFault = 'cut' | 'hang' | 'cut json';

/** The steps in their order, or a function that answers each request. */
export type ModelScript =
  readonly (Step | ModelFault)[] | ((seen: SeenRequest, index: number) => Step | ModelFault | Promise<Step | ModelFault>);

export interface ModelServer extends AsyncDisposable {
  /** Connection string of the model "test"; `options` after it. */
  connection(parts?: { readonly key?: string; readonly options?: string }): string;
  readonly port: number;
  readonly seen: readonly SeenRequest[];
  /** When each request arrived, by performance.now(). */
  readonly arrivals: readonly number[];
  /** Resolves when a request is hanging. */
  readonly hanging: Promise<void>;
}

/** A model provider on a free loopback port that follows a script. A request that its provider would not accept is a 400. */
export async function openModelServer(protocol: Protocol, script: ModelScript): Promise<ModelServer> {
  const dialect = DIALECTS[protocol];
  const [seen, arrivals]: [SeenRequest[], number[]] = [[], []];
  let noteHanging = (): void => undefined;
  const hanging = new Promise<void>((resolve) => {
    noteHanging = resolve;
  });
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    arrivals.push(performance.now());
    const body: unknown = JSON.parse(await text(request));
    const read = dialect.read({ path: request.url ?? '', headers: request.headers, body });
    seen.push(read);
    const index = seen.length - 1;
    const step = typeof script === 'function' ? await script(read, index) : script[index];
    if (step === undefined) throw new Error('the script is at its end');
    if (step === 'hang') {
      noteHanging();
      return;
    }
    const { status, headers, body: sent } = writeStep(typeof step === 'string' ? { text: 'cut' } : step, dialect);
    if (step === 'cut') {
      response.writeHead(status, { 'content-length': String(sent.length) }).write(sent.slice(0, 20), () => response.destroy());
      return;
    }
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(step === 'cut json' ? sent.slice(0, 20) : sent);
  };
  const server = createServer((request, response) => {
    respond(request, response).catch((error: unknown) => response.writeHead(400).end(String(error)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A listening TCP server has a port.
  const { port } = server.address() as AddressInfo;
  return {
    port,
    seen,
    arrivals,
    hanging,
    connection: ({ key = '', options = '' } = {}) =>
      `${protocol}://${key === '' ? '' : `${encodeURIComponent(key)}@`}127.0.0.1:${String(port)}?model=test${options}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
