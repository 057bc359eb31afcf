import type { Fragments, InferParams } from '@platen/kernel';

/** V8's default. */
export const DEFAULT_CPU_INTERVAL_US = 1000;
export const DEFAULT_MEMORY_INTERVAL_BYTES = 32_768;

/** Maximum of the protocol's integers. */
const MAX_INTERVAL = 2 ** 31 - 1;

export const PPROF_PARAMS = {
  with_pprof_cpu: {
    type: 'boolean',
    description: 'Return a CPU profile as an additional asset.',
    default: false,
    examples: [true],
    'x-search': ['profiler', 'performance'],
  },
  with_pprof_memory: {
    type: 'boolean',
    description: 'Return a memory profile as an additional asset.',
    default: false,
    examples: [true],
  },
  pprof_captures_navigation: {
    type: 'boolean',
    description: 'Include every visited page in the profiles. By default they cover the final page.',
    default: false,
    examples: [true],
  },
  pprof_cpu_interval_us: {
    type: 'integer',
    format: 'uint32',
    description: 'Microseconds between two samples of a CPU profile. Below about 100, samples are less frequent than requested.',
    minimum: 1,
    maximum: MAX_INTERVAL,
    default: DEFAULT_CPU_INTERVAL_US,
    examples: [200],
  },
  pprof_memory_interval_bytes: {
    type: 'integer',
    format: 'uint32',
    description: 'Average number of bytes allocated between two samples of a memory profile. 1 records every allocation and is slow.',
    minimum: 1,
    maximum: MAX_INTERVAL,
    default: DEFAULT_MEMORY_INTERVAL_BYTES,
    examples: [4096],
  },
  pprof_no_gzip: {
    type: 'boolean',
    description:
      'Skip gzip of CPU and memory profiles. On the command line, the extension of the output file decides: ".pb" is plain, ".pb.gz" is gzip.',
    default: false,
    examples: [true],
  },
} as const satisfies Fragments;

export type PprofParams = InferParams<typeof PPROF_PARAMS>;
