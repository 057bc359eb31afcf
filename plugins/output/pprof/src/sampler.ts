import type { Result, TargetSession } from '@platen/kernel';
import { DEFAULT_CPU_INTERVAL_US, DEFAULT_MEMORY_INTERVAL_BYTES, type PprofParams } from './params.js';
import type { CpuProfile, MemoryProfile } from './stack.js';

/** One of V8's two sampling profilers, controlled on one target. */
export interface Sampler<T> {
  /** The commands that start it, sent concurrently. */
  start(target: TargetSession): readonly Promise<unknown>[];
  /** Stops it and returns its data. If a timeout is given, interrupts a script that runs longer. */
  stop(target: TargetSession, busyMs?: number): Promise<T>;
  /** An isolate has only one: a second session of the isolate would end the first session's profiler. */
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

/** V8's sampling heap profiler (protocol domain HeapProfiler). V8 collects garbage before it stops. */
export function createMemorySampler(params: PprofParams): Sampler<MemoryProfile> {
  const { pprof_memory_interval_bytes: samplingInterval = DEFAULT_MEMORY_INTERVAL_BYTES } = params;
  return {
    oneAnIsolate: true,
    start: (target) => [target.send('HeapProfiler.enable'), target.send('HeapProfiler.startSampling', { samplingInterval })],
    stop: async (target, busyMs) => (await sendToBusy(target, 'HeapProfiler.stopSampling', busyMs)).profile,
  };
}

const STOP_MS = 60_000;

/** Sends a command that is processed only between two tasks: interrupts the running task if it does not end. */
async function sendToBusy<M extends 'Profiler.stop' | 'HeapProfiler.stopSampling'>(
  target: TargetSession,
  method: M,
  busyMs: number | undefined,
): Promise<Result<M>> {
  const interrupt = () => {
    target.send('Runtime.terminateExecution').catch(() => undefined);
  };
  const timer = busyMs === undefined ? undefined : setTimeout(interrupt, busyMs);
  try {
    return await target.send(method, undefined, { timeoutMs: STOP_MS });
  } finally {
    clearTimeout(timer);
  }
}
