import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { CHECKERS } from '../../../../server/setup/checkers.mjs';

/** A Redis of its own, on a free port of the loopback, with its data in a folder of its own. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  /** Ends it without a goodbye. */
  kill(): Promise<void>;
  /** Starts it again on the same port, with what it had written. */
  restart(): Promise<void>;
  signal(name: 'SIGSTOP' | 'SIGCONT'): void;
}

export async function startRedis({ password }: { readonly password?: string } = {}): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'platen-test-redis-'));
  const port = await freePort();
  let running = await run(port, folder, password);
  const kill = async () => {
    if (running.exitCode !== null || running.signalCode !== null) return;
    const gone = once(running, 'exit');
    running.kill('SIGKILL');
    await gone;
  };
  return {
    port,
    url: `redis://${password === undefined ? '' : `:${password}@`}127.0.0.1:${String(port)}`,
    kill,
    async restart() {
      running = await run(port, folder, password);
    },
    signal: (name) => void running.kill(name),
    async [Symbol.asyncDispose]() {
      running.kill('SIGCONT');
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Resolves once it accepts connections. Every write is on the disk before its reply: `kill` loses nothing. */
async function run(port: number, folder: string, password?: string): Promise<ChildProcess> {
  const writing = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const secret = password === undefined ? [] : ['--requirepass', password];
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder, '--loglevel', 'notice', ...writing, ...secret];
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'ignore'] });
  const failed = once(child, 'error').then(([error]: unknown[]) => {
    throw new Error(`"redis-server" does not start, and this test needs it: apt-get install ${CHECKERS['redis-server']}`, { cause: error });
  });
  const ready = (async () => {
    for await (const line of createInterface({ input: child.stdout })) if (line.includes('Ready to accept connections')) return;
    throw new Error(`redis-server ended at its start (port ${String(port)})`);
  })();
  await Promise.race([ready, failed]);
  child.stdout.resume();
  return child;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
