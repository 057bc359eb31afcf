import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { NO_ASSETS, PlatenError } from '@platen/kernel';
import { describe, expect, it } from 'vitest';
import { openSocket, parseAnswer } from '../raw-http.js';
import { output, rendered, type FakeRender, useServers } from '../test-server.js';

const start = useServers();

function createDeferred<T>() {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}

/** A render that lasts until it is told to end or its signal ends it. */
function createGate() {
  const started = createDeferred<AbortSignal>();
  const release = createDeferred<undefined>();
  const render: FakeRender = async (plan, options) => {
    const { signal } = options;
    if (signal === undefined) throw new Error('the server must pass a signal');
    started.resolve(signal);
    const ended = new Promise<never>((_, reject) => {
      signal.addEventListener('abort', () => {
        reject(signal.reason as Error);
      });
    });
    await Promise.race([release.promise, ended]);
    return rendered(plan, options);
  };
  return {
    render,
    started: started.promise,
    release: () => {
      release.resolve(undefined);
    },
  };
}

function streaming(body: Readable): FakeRender {
  return () => Promise.resolve({ output: { ...output('png'), body: body as never }, assets: NO_ASSETS, headers: {}, timings: {} });
}

describe('a client that leaves', () => {
  it('while it is rendered: the render is aborted, counted as client_closed, and the slot is free', async () => {
    const gate = createGate();
    const server = await start({ render: gate.render });
    const over = server.finished(() => true);
    const client = new AbortController();
    const answer = server.get('url=http://a.test/', { signal: client.signal });
    const signal = await gate.started;
    expect(server.kernel.status().inFlight).toBe(1);
    client.abort();
    await expect(answer).rejects.toThrow();
    expect(await over).toMatchObject({ status: 499, code: 'client_closed', endpoint: 'GET /' });
    expect(signal.reason).toBeInstanceOf(PlatenError);
    expect(await (await fetch(`${server.url}/status`)).json()).toMatchObject({ in_flight: 0 });
  });

  it('while the answer streams: the stream is destroyed', async () => {
    const body = new Readable({
      read() {
        this.push(Buffer.alloc(64 * 1024));
      },
    });
    const server = await start({ render: streaming(body) });
    const over = server.finished(() => true);
    const closed = once(body, 'close').catch(() => undefined);
    const client = new AbortController();
    const response = await server.get('url=http://a.test/', { signal: client.signal });
    expect(response.status).toBe(200);
    client.abort();
    await closed;
    expect(await over).toMatchObject({ status: 499, code: 'client_closed' });
  });

  it.each(['identity', 'gzip'])('while it sends its body (%s): nothing is left waiting', async (encoding) => {
    const server = await start({});
    const over = server.finished(({ endpoint }) => endpoint === 'POST /');
    const headers = { 'content-type': 'application/json', 'content-encoding': encoding, 'content-length': 100 };
    const request = httpRequest(`${server.url}/`, { method: 'POST', headers });
    request.on('error', () => undefined);
    const [socket] = (await once(request, 'socket')) as [Socket];
    await once(socket, 'connect');
    request.write(Buffer.from([0x1f, 0x8b, 0x08]), () => request.destroy());
    expect(await over).toMatchObject({ status: 499, code: 'client_closed' });
  });
});

describe('an answer that streams', () => {
  it('arrives whole, its bytes are counted', async () => {
    const server = await start({ render: streaming(Readable.from([Buffer.from('one '), Buffer.from('two')])) });
    const over = server.finished(() => true);
    const response = await server.get('url=http://a.test/');
    expect(response.headers.get('content-type')).toBe('image/png');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await response.text()).toBe('one two');
    expect(await over).toMatchObject({ status: 200, bytes: 7 });
  });

  it('may be empty', async () => {
    const server = await start({ render: streaming(Readable.from([])) });
    expect(await (await server.get('url=http://a.test/')).text()).toBe('');
  });

  it('that fails before its first byte is a problem document', async () => {
    const body = new Readable({
      read() {
        this.destroy(new PlatenError('encode_failed', 'the encoder stopped'));
      },
    });
    const server = await start({ render: streaming(body) });
    const response = await server.get('url=http://a.test/');
    expect(response.status).toBe(500);
    expect(response.headers.has('content-disposition')).toBe(false);
    expect(await response.json()).toMatchObject({ code: 'encode_failed', detail: 'the encoder stopped' });
  });

  it('that had failed before it was sent is a problem document', async () => {
    const body = new Readable({ read() {} });
    body.on('error', () => undefined);
    const closed = new Promise((resolve) => body.once('close', resolve));
    body.destroy(new PlatenError('encode_failed', 'the encoder stopped'));
    await closed;
    const server = await start({ render: streaming(body) });
    expect((await server.get('url=http://a.test/')).status).toBe(500);
  });

  it('that fails midway breaks the connection: it never looks whole', async () => {
    const body = new Readable({ read() {} });
    body.push('half');
    const server = await start({ render: streaming(body) });
    const over = server.finished(() => true);
    const socket = openSocket(server.port);
    socket.write('GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const [head] = await once(socket, 'data');
    body.destroy(new Error('disk full'));
    const answer = String(head) + (await text(socket).catch(() => ''));
    expect(answer).toContain('HTTP/1.1 200');
    expect(answer).toContain('half');
    expect(answer).not.toMatch(/\r\n0\r\n\r\n$/);
    expect(await over).toMatchObject({ code: 'internal' });
  });

  it('that fails right after its first bytes is a problem document', async () => {
    let pushed = false;
    const body = new Readable({
      read() {
        if (pushed) this.destroy(new PlatenError('encode_failed', 'disk full'));
        else this.push('half');
        pushed = true;
      },
    });
    const server = await start({ render: streaming(body) });
    expect((await server.get('url=http://a.test/')).status).toBe(500);
  });

  it('to HEAD is not read', async () => {
    const body = Readable.from([Buffer.from('x')]);
    const server = await start({ render: streaming(body) });
    expect((await server.get('url=http://a.test/', { method: 'HEAD' })).status).toBe(200);
    expect(body.destroyed).toBe(true);
  });
});

describe('stopping', () => {
  it('lets a running render end, says draining meanwhile, refuses new renders', async () => {
    const gate = createGate();
    const server = await start({ render: gate.render });
    const answer = server.get('url=http://a.test/');
    await gate.started;
    const closed = server.server.close(60_000);
    const status = await fetch(`${server.url}/status`);
    expect(status.status).toBe(503);
    expect(status.headers.get('retry-after')).toBe('5');
    expect(await status.json()).toMatchObject({ status: 'draining', in_flight: 1 });
    const refused = await server.get('url=http://b.test/');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');
    expect(refused.headers.get('connection')).toBe('close');
    expect(await refused.json()).toMatchObject({ code: 'draining', retryable: true });
    gate.release();
    expect(await (await answer).text()).toBe('a png');
    await closed;
    await expect(server.get('url=http://a.test/')).rejects.toThrow();
  });

  it('aborts what is not done within the grace, and says why', async () => {
    const gate = createGate();
    const server = await start({ render: gate.render });
    const answer = server.get('url=http://a.test/');
    await gate.started;
    await server.server.close(0);
    expect((await answer).status).toBe(503);
    expect(await (await answer).json()).toMatchObject({ code: 'draining' });
  });

  it('with idle connections and no requests in flight is immediate', async () => {
    const server = await start({});
    const socket = openSocket(server.port);
    await once(socket, 'connect');
    const ended = once(socket, 'close');
    await server.server.close(60_000);
    await ended;
  });
});

describe('pipelined requests', () => {
  it('are answered in order', async () => {
    const server = await start({});
    const socket = openSocket(server.port);
    socket.write(
      'GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    );
    const answer = await text(socket);
    expect(parseAnswer(answer).status).toBe(200);
    expect(answer.slice(answer.indexOf('a png'))).toContain('HTTP/1.1 404');
  });
});

describe('bytes that are no request', () => {
  it('behind a whole one do not take its answer away', async () => {
    const gate = createGate();
    const server = await start({ render: gate.render });
    const socket = openSocket(server.port);
    const answer = text(socket);
    socket.write('GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n');
    await gate.started;
    gate.release();
    expect(parseAnswer(await answer)).toMatchObject({ status: 200, body: 'a png' });
  });

  it('in the middle of an answer that streams do not get into it', async () => {
    const body = new Readable({ read() {} });
    body.push('one ');
    const server = await start({ render: streaming(body) });
    const socket = openSocket(server.port);
    socket.write('GET /?url=http://a.test/ HTTP/1.0\r\nConnection: keep-alive\r\n\r\n');
    const [head] = await once(socket, 'data');
    const rest = text(socket);
    socket.write('nonsense\r\n\r\n', () => {
      body.push('two');
      body.push(null);
    });
    expect(String(head) + (await rest)).toMatch(/^HTTP\/1\.1 200 [^]*one two$/);
  });
});
