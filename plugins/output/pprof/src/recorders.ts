import { contextKey, PlatenError, type ContextKey, type RenderContext } from '@platen/kernel';
import { readPageStart } from '@platen/lib-navigation-start';
import type { CpuRecording, MemoryRecording } from './describe-profile.js';
import type { PprofParams } from './params.js';
import { recordProfile, type ProfileRecorder } from './record-profile.js';
import { createCpuSampler, createMemorySampler } from './sampler.js';
import { handleDebuggerPauses } from './handle-debugger-pauses.js';

type Context = RenderContext<PprofParams>;

/** Stops a recorder once and returns its data. */
type Stop<T> = () => Promise<T>;

const CPU = contextKey<Stop<CpuRecording>>('cpu profile');
const MEMORY = contextKey<Stop<MemoryRecording>>('memory profile');

/** Starts the requested profilers. */
export function startProfilers(context: Context): void {
  const { plan, params, page } = context;
  const cpu = plan.capture.kind === 'cpu_profile' || params.with_pprof_cpu === true ? startCpu(context) : undefined;
  const memory = plan.capture.kind === 'memory_profile' || params.with_pprof_memory === true ? startMemory(context) : undefined;
  const started = [cpu, memory].filter((recorder) => recorder !== undefined);
  const takeAll = async () => {
    for (const recorder of started) await recorder.take();
  };
  const leaving = params.pprof_captures_navigation === true ? takeAll : undefined;
  // Memory of a terminated worker is no longer in use: only its CPU time is lost.
  const ending = cpu && (() => cpu.takeWorkers());
  handleDebuggerPauses(page, { leaving, ending });
}

export function stopCpu(context: Context): Promise<CpuRecording> {
  return stopRecorder(context, CPU);
}

export function stopMemory(context: Context): Promise<MemoryRecording> {
  return stopRecorder(context, MEMORY);
}

function startCpu(context: Context): ProfileRecorder<unknown> {
  const { page, params, plan } = context;
  const recorder = recordProfile(context, createCpuSampler(params));
  const stop = async () => {
    const pageStart = params.pprof_captures_navigation === true ? undefined : readPageStart(page);
    const segments = await recorder.stop();
    return { url: plan.url, segments, stoppedAt: new Date(), from: await pageStart };
  };
  context.set(CPU, once(stop));
  return recorder;
}

function startMemory(context: Context): ProfileRecorder<unknown> {
  const { params, plan } = context;
  const startedAt = new Date();
  const recorder = recordProfile(context, createMemorySampler(params));
  const stop = async () => ({ url: plan.url, startedAt, segments: await recorder.stop(), stoppedAt: new Date() });
  context.set(MEMORY, once(stop));
  return recorder;
}

async function stopRecorder<T>(context: Context, key: ContextKey<Stop<T>>): Promise<T> {
  const stop = context.get(key);
  if (stop === undefined) throw new PlatenError('internal', `there is no ${key.description} to stop`);
  return stop();
}

function once<T>(run: () => Promise<T>): Stop<T> {
  let running: Promise<T> | undefined;
  return () => (running ??= run());
}
