import process from 'node:process';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createKernel, PlatenError, type Kernel, type Logger } from '@platen/kernel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Boot } from '../../../server/src/boot/boot.js';
import { runServer } from '../../../server/src/cli/run-server.js';
import { openSocket, parseAnswer } from '../raw-http.js';
import { fakePlugin } from '../test-server.js';

/** What a server says in its log, awaited by message. */
function createJournal() {
  const said = new Map<string, Deferred<object>>();
  const entry = (message: string) => {
    const known = said.get(message) ?? defer<object>();
    said.set(message, known);
    return known;
  };
  const say = (fields: object, message: string) => {
    entry(message).resolve(fields);
  };
  const log: Logger = { debug: say, info: say, warn: say, error: say, child: () => log };
  return { log, said: (message: string) => entry(message).promise };
}

interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
}

function defer<T>(): Deferred<T> {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => {
    resolve = settle;
  });
  return { promise, resolve: (value) => resolve(value) };
}

/** A server, as the command line runs it, with a render under way that ends by its signal alone, or not even by that. */
async function serveHeld({ gracePeriod, heeds = true }: { readonly gracePeriod: number; readonly heeds?: boolean }) {
  const started = defer<AbortSignal>();
  const { log, said } = createJournal();
  const kernel: Kernel = {
    ...createKernel({ plugins: [{ definition: fakePlugin, packageName: 'fake', version: '0.0.0' }] }),
    start: () => Promise.resolve(),
    render: (_plan, { signal } = {}) =>
      new Promise((_, reject) => {
        if (signal === undefined) return;
        if (heeds) signal.addEventListener('abort', () => reject(signal.reason as Error));
        started.resolve(signal);
      }),
  };
  const flags = { 'server-bind-port': 0, 'server-grace-period': gracePeriod };
  const boot: Boot = {
    found: [],
    loaded: [],
    broken: [],
    flagSet: new Map(),
    sources: { options: [], environment: {}, file: {} },
    keys: {},
    request: {},
    positionals: [],
    misplaced: new Map(),
    spoken: [],
    flags,
    log,
    flagFiles: [],
    rereadFlags: () => Promise.resolve({}),
    createKernel: () => kernel,
  };
  const sink = new Writable({ write: (_chunk, _encoding, done) => done() });
  // At a terminal a hangup is its end.
  const terminal = Object.assign(sink, { isTTY: true });
  const ended = runServer(boot, { stdout: terminal, stderr: sink, environment: {}, cwd: '/' });
  const { url } = (await said('listening')) as { readonly url: string };
  const socket = openSocket(Number(new URL(url).port));
  const answer = text(socket);
  socket.write('GET /?url=http://a.test/ HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const signal = await started.promise;
  // The terminal went away: of the three signals the one that no test runner listens to.
  process.emit('SIGHUP');
  await said('stopping: running renders may finish, a second signal ends them');
  return { signal, answer, ended };
}

describe('a server that is told to stop', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  it.each([7, 0.25])('F11: leaves a render its grace period of %s s, to the millisecond, and then ends it', async (gracePeriod) => {
    const { signal, answer, ended } = await serveHeld({ gracePeriod });
    await vi.advanceTimersByTimeAsync(gracePeriod * 1000 - 1);
    expect(signal.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(signal.reason).toBeInstanceOf(PlatenError);
    expect(signal.reason).toMatchObject({ code: 'draining' });
    const { status, body } = parseAnswer(await answer);
    expect([status, (JSON.parse(body) as { code: string }).code]).toEqual([503, 'draining']);
    expect(await ended).toBe(0);
  });

  it('F11: waits two seconds more, and no longer, for a render that does not end when it is told to', async () => {
    const { signal, answer, ended } = await serveHeld({ gracePeriod: 5, heeds: false });
    let over = false;
    void ended.then(() => (over = true));
    await vi.advanceTimersByTimeAsync(5_000);
    expect(signal.aborted).toBe(true);
    await vi.advanceTimersByTimeAsync(1_999);
    expect(over).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await ended).toBe(0);
    expect(await answer).toBe('');
  });
});
