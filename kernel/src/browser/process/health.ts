import { readFile } from 'node:fs/promises';
import { readThreads } from './system-processes.js';
import type { BrowserProcess } from './browser-process.js';

export interface HealthOptions {
  readonly process: BrowserProcess;
  /** Milliseconds between two beats. */
  readonly intervalMs: number;
  /** Memory limit of the browser in bytes. */
  readonly memoryLimit: number;
  /** The browser is alive but does not respond. */
  readonly onHang: () => void;
  readonly onMemoryLimit: (bytes: number) => void;
}

/** Missed heartbeats after which an idle browser counts as hung. */
const MISSES = 2;
/** The same limit for a browser that is running, or waiting for a processor or disk: a busy machine slows it down. */
const MISSES_AT_WORK = 12;

/** Detects hangs, which unlike crashes cause no event. Returns a function that stops the watch. */
export function watchHealth({ process, intervalMs, memoryLimit, onHang, onMemoryLimit }: HealthOptions): () => void {
  let misses = 0;
  let timer: NodeJS.Timeout | undefined;
  let ended = false;

  const beat = async (): Promise<void> => {
    try {
      await process.root.send('Browser.getVersion', undefined, { timeoutMs: intervalMs });
      misses = 0;
      const bytes = await memoryOf(process, intervalMs);
      if (bytes > memoryLimit && !ended) onMemoryLimit(bytes);
    } catch {
      misses += 1;
    }
    if (ended || process.gone) return;
    if (misses >= MISSES_AT_WORK || (misses >= MISSES && !isAtWork(process.pid))) onHang();
    else schedule();
  };
  const schedule = (): void => {
    timer = setTimeout(() => void beat(), intervalMs);
    // The heartbeat must not keep the server process alive.
    timer.unref();
  };
  schedule();
  return () => {
    ended = true;
    clearTimeout(timer);
  };
}

/**
 * Whether one of its threads runs, waits for a processor (`R`), or for a disk (`D`). False for a process that was stopped or waits for a
 * lock.
 */
function isAtWork(pid: number): boolean {
  return readThreads(pid).some(({ state }) => state === 'R' || state === 'D');
}

/** Memory of the long-lived processes, without renderers, which end with their render. Zero if the host does not report it. */
async function memoryOf({ root }: BrowserProcess, timeoutMs: number): Promise<number> {
  if (globalThis.process.platform !== 'linux') return 0;
  const { processInfo } = await root.send('SystemInfo.getProcessInfo', undefined, { timeoutMs });
  const sizes = await Promise.all(processInfo.filter(({ type }) => type !== 'renderer').map(({ id }) => privateMemory(id)));
  return sizes.reduce((total, size) => total + size, 0);
}

/** Memory that no file backs, in bytes (`proc(5)`, status). */
async function privateMemory(pid: number): Promise<number> {
  const status = await readFile(`/proc/${String(pid)}/status`, 'utf8').catch(() => '');
  return [...status.matchAll(/^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm)].reduce((total, [, kilobytes]) => total + Number(kilobytes) * 1024, 0);
}
