import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { reasonOf } from '@platen/kernel';
import { memberAt, ModelFailure } from '@platen/lib-models';

/** A local program that answers requests, one JSON object per line in both directions. */
export interface Program {
  /**
   * Starts the program if it is not running, and sends a request. Resolves with the parsed line that has the request's `id`. Rejects with a
   * `ModelFailure`, or with the signal's reason.
   */
  request(body: object, signal: AbortSignal): Promise<unknown>;
  close(): void;
}

type Child = ChildProcessByStdio<Writable, Readable, null>;

interface Pending {
  readonly resolve: (line: unknown) => void;
  readonly reject: (error: Error) => void;
}

/** Maximum characters of a line, so that a program cannot use up the memory. */
const MAX_LINE = 16 * 1024 * 1024;

/** A program that ended is started again by the next request. It ends with Platen's process at the latest. */
export function openProgram(path: string, args: readonly string[]): Program {
  const pending = new Map<number, Pending>();
  let child: Child | undefined;
  let last = 0;
  const end = (): void => {
    child?.kill();
  };
  const start = (): Child => {
    // Errors that it prints are the operator's: they may quote prompts, and are not logged.
    const started: Child = spawn(path, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    let ended = false;
    const onEnd = (cause?: Error): void => {
      if (ended) return;
      ended = true;
      process.off('exit', end);
      if (child === started) child = undefined;
      const failure = new ModelFailure('could not be started, or ended', { retryable: true, cause });
      for (const { reject } of pending.values()) reject(failure);
      pending.clear();
    };
    started.on('error', onEnd).on('close', () => {
      onEnd();
    });
    // The end of the program is reported by `close`.
    started.stdin.on('error', () => undefined);
    readLines(started, (line) => pending.get(Number(memberAt(line, 'id')))?.resolve(line));
    process.once('exit', end);
    return started;
  };
  return {
    request(body, signal) {
      signal.throwIfAborted();
      child ??= start();
      const { stdin } = child;
      last += 1;
      const id = last;
      return new Promise<unknown>((resolve, reject) => {
        const abort = (): void => {
          reject(reasonOf(signal));
        };
        signal.addEventListener('abort', abort, { once: true });
        pending.set(id, { resolve, reject });
        stdin.write(`${JSON.stringify({ id, ...body })}\n`);
      }).finally(() => pending.delete(id));
    },
    close: end,
  };
}

/** Ends a program whose output is not lines of JSON. */
function readLines(child: Child, onLine: (line: unknown) => void): void {
  let length = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    const at = chunk.lastIndexOf(0x0a);
    length = at === -1 ? length + chunk.length : chunk.length - at;
    if (length > MAX_LINE) child.kill('SIGKILL');
  });
  createInterface({ input: child.stdout }).on('line', (text) => {
    try {
      onLine(JSON.parse(text));
    } catch {
      child.kill();
    }
  });
}
