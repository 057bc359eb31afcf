import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SetupError } from './setup-error.mjs';

/**
 * Makes sure that only one setup works on a clone at a time. The lock is a listening socket. On Linux and Windows the socket's name
 * disappears with its process, so no stale lock remains. On other systems the name is a file; if no process responds on it, the lock is
 * stale.
 * @param {string} root the clone
 * @param {{ timeoutMs: number, onWait: () => void }} options `onWait` is called once if another setup is running
 * @returns {Promise<() => Promise<void>>} releases the lock
 */
export async function takeLock(root, { timeoutMs, onWait }) {
  const address = lockAddress(root);
  const deadline = AbortSignal.timeout(timeoutMs);
  let waited = false;
  for (;;) {
    const held = await tryListen(address);
    if (held) return held;
    if (deadline.aborted) break;
    if (!waited) onWait();
    waited = true;
    await untilReleased(address, deadline);
  }
  throw new SetupError(
    `another setup of this clone has been running for ${timeoutMs / 60_000} minutes`,
    'End it (look for "setup.mjs" among the processes) and start again.',
  );
}

function lockAddress(root) {
  const name = `platen-setup-${createHash('sha256').update(root).digest('hex').slice(0, 24)}`;
  if (process.platform === 'linux') return `\0${name}`;
  return process.platform === 'win32' ? `\\\\.\\pipe\\${name}` : join(tmpdir(), `${name}.sock`);
}

async function tryListen(address) {
  const waiting = new Set();
  const server = createServer((socket) => {
    waiting.add(socket);
    socket
      .on('error', () => socket.destroy())
      .on('close', () => waiting.delete(socket))
      .resume();
  });
  try {
    server.listen(address);
    await once(server, 'listening');
  } catch (error) {
    if (error.code === 'EADDRINUSE') return undefined;
    throw error;
  }
  server.unref();
  return async () => {
    server.close();
    for (const socket of waiting) socket.destroy();
    await once(server, 'close');
  };
}

/** Holds a connection to the process that has the lock until it ends: this needs no polling, and also detects a crash. */
async function untilReleased(address, signal) {
  const socket = connect(address);
  try {
    await once(socket, 'connect', { signal });
    socket.resume();
    await once(socket, 'close', { signal });
  } catch (error) {
    const isStale = error.code === 'ECONNREFUSED' && !address.startsWith('\0') && process.platform !== 'win32';
    if (isStale) rmSync(address, { force: true });
  } finally {
    socket.destroy();
  }
}
