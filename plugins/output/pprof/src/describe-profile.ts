import type { PprofProfile } from './encode-pprof.js';
import { DEFAULT_CPU_INTERVAL_US, DEFAULT_MEMORY_INTERVAL_BYTES, type PprofParams } from './params.js';
import { readCpuProfile } from './read-cpu-profile.js';
import type { Segment } from './record-profile.js';
import { type CpuProfile, type Frame, isOwn, type MemoryProfile, type OwnScripts, type Stack, toFrame } from './stack.js';

/** The recorded CPU profiles. */
export interface CpuRecording {
  /** The page. */
  readonly url: string;
  readonly stoppedAt: Date;
  readonly segments: readonly Segment<CpuProfile>[];
  /** Start of the final page in microseconds of the profiles' clock, if only that page counts. */
  readonly from: number | undefined;
}

/** The recorded heap samples. */
export interface MemoryRecording {
  readonly url: string;
  readonly startedAt: Date;
  readonly stoppedAt: Date;
  readonly segments: readonly Segment<MemoryProfile>[];
}

const NANOSECONDS_A_US = 1000;
const MICROSECONDS_A_MS = 1000;

export function describeCpu({ url, stoppedAt, segments, from }: CpuRecording, params: PprofParams): PprofProfile {
  const { pprof_cpu_interval_us: interval = DEFAULT_CPU_INTERVAL_US } = params;
  // A worker that ended before the final page began does not count.
  const counted = segments.filter(({ profile }) => profile.endTime >= (from ?? -Infinity));
  const read = counted.map(({ profile, ...segment }) => ({ ...segment, ...readCpuProfile(profile, { from, own: segment.own }) }));
  const start = Math.min(...read.map((part) => part.start));
  const durationMs = read.length === 0 ? 0 : (Math.max(...read.map(({ end }) => end)) - start) / MICROSECONDS_A_MS;
  return {
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'cpu', unit: 'nanoseconds' },
    ],
    periodType: { type: 'cpu', unit: 'nanoseconds' },
    period: interval * NANOSECONDS_A_US,
    startedAt: new Date(stoppedAt.getTime() - durationMs),
    durationMs,
    url,
    parts: read,
  };
}

export function describeMemory({ url, startedAt, stoppedAt, segments }: MemoryRecording, params: PprofParams): PprofProfile {
  const { pprof_memory_interval_bytes: period = DEFAULT_MEMORY_INTERVAL_BYTES } = params;
  return {
    sampleTypes: [
      { type: 'samples', unit: 'count' },
      { type: 'inuse_space', unit: 'bytes' },
    ],
    periodType: { type: 'space', unit: 'bytes' },
    period,
    startedAt,
    durationMs: stoppedAt.getTime() - startedAt.getTime(),
    url,
    parts: segments.map(({ profile, ...segment }) => ({ ...segment, stacks: readMemoryProfile(profile, segment.own) })),
  };
}

type Node = MemoryProfile['head'];

/**
 * Reads a sampled heap in the protocol's format (HeapProfiler.SamplingHeapProfile): the bytes in use, by the stack that allocated them. V8
 * has scaled the sizes, so they estimate all allocations and not only the sampled ones. Omits allocations of Platen's own scripts,
 * identified by their ids.
 */
export function readMemoryProfile({ head, samples }: MemoryProfile, own: OwnScripts): readonly Stack[] {
  const counts = new Map<number, number>();
  for (const { nodeId } of samples) counts.set(nodeId, (counts.get(nodeId) ?? 0) + 1);
  const stacks: Stack[] = [];
  const waiting: { readonly node: Node; readonly callers: readonly Frame[] }[] = head.children.map((node) => ({ node, callers: [] }));
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { node, callers } = next;
    if (isOwn(node.callFrame, own)) continue;
    const frames = [toFrame(node.callFrame), ...callers];
    if (node.selfSize > 0) stacks.push({ frames, values: [counts.get(node.id) ?? 0, Math.round(node.selfSize)] });
    for (const child of node.children) waiting.push({ node: child, callers: frames });
  }
  return stacks;
}
