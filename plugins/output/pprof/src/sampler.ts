import type { Result, TargetSession } from '@platen/kernel';
import { DEFAULT_CPU_INTERVAL_US, DEFAULT_MEMORY_INTERVAL_BYTES, type PprofParams } from './params.js';
import type { CpuProfile, MemoryProfile } from './stack.js';

/** One of V8's two sampling profilers, as it is driven on one target. */
export interface Sampler<T> {
  /** The commands that start it, sent at once. */
  start(target: TargetSession): readonly Promise<unknown>[];
  /** Stops it and gives what it has. What the target is at for longer than this, where it is given, is broken off. */
  stop(target: TargetSession, busyMs?: number): Promise<T>;
  /** An isolate has only one: a second session of it would end the first one's. */
  readonly oneAnIsolate: boolean;
}

/** V8's CPU profiler (protocol domain Profiler). */
export function createCpuSampler({ pprof_cpu_interval_us: interval = DEFAULT_CPU_INTERVAL_US }: PprofParams): Sampler<CpuProfile> {
  return {
    oneAnIsolate: false,
    start: (target) => [
      target.send('Profiler.enable'),
      target.send('Profiler.setSamplingInterval', { interval }),
      target.send('Profiler.start'),
    ],
    stop: async (target, busyMs) => (await sendToBusy(target, 'Profiler.stop', busyMs)).profile,
  };
}

/** V8's sampling heap profiler (protocol domain HeapProfiler). What is garbage when it is stopped is collected first: V8 sees to that. */
export function createMemorySampler(params: PprofParams): Sampler<MemoryProfile> {
  const { pprof_memory_interval_bytes: samplingInterval = DEFAULT_MEMORY_INTERVAL_BYTES } = params;
  return {
    oneAnIsolate: true,
    start: (target) => [target.send('HeapProfiler.enable'), target.send('HeapProfiler.startSampling', { samplingInterval })],
    stop: async (target, busyMs) => (await sendToBusy(target, 'HeapProfiler.stopSampling', busyMs)).profile,
  };
}

const STOP_MS = 60_000;

/** Sends a command that is heard between two tasks only: what the target is at is broken off where it does not come to an end. */
async function sendToBusy<M extends 'Profiler.stop' | 'HeapProfiler.stopSampling'>(
  target: TargetSession,
  method: M,
  busyMs: number | undefined,
): Promise<Result<M>> {
  const breakOff = () => {
    target.send('Runtime.terminateExecution').catch(() => undefined);
  };
  const timer = busyMs === undefined ? undefined : setTimeout(breakOff, busyMs);
  try {
    return await target.send(method, undefined, { timeoutMs: STOP_MS });
  } finally {
    clearTimeout(timer);
  }
}
