import { availableParallelism, totalmem } from 'node:os';
import type { ServerApi } from '@platen/kernel';
import type { AdblockReport } from '@platen/server';
import { readHost, readTools, type HostVersions, type ToolReport } from './host.js';

/** What `diagnostics=true` answers. No secret, no value of an environment variable, no path. */
export interface DiagnosticsReport {
  readonly versions: HostVersions & { readonly platen: string; readonly node: string };
  readonly plugins: readonly {
    readonly name: string;
    readonly version: string;
    readonly tier: string;
    readonly outputs: readonly string[];
  }[];
  readonly pool: {
    readonly browsers: number;
    readonly warm: number;
    readonly busy: number;
    readonly capacity: number;
    readonly restarts: number;
  };
  readonly queue: { readonly in_flight: number; readonly waiting: number };
  /** Where `--adblock-rules` are given: how many rules there are, and what they have kept from pages since the start. */
  readonly adblock?: AdblockReport;
  readonly limits: {
    readonly max_concurrency: number;
    readonly body_bytes: number;
    /** Of a body that posts a browser's storage, where it may. */
    readonly storage_body_bytes?: number;
  };
  readonly capabilities: {
    readonly output_types: readonly string[];
    readonly processors: number;
    readonly memory_bytes: number;
    readonly platform: string;
    readonly architecture: string;
    readonly full_browser: boolean;
    readonly headless_shell: boolean;
    readonly video: boolean;
    readonly tools: ToolReport;
  };
}

export async function describeServer({ kernel, flags, bodyLimits, status }: ServerApi): Promise<DiagnosticsReport> {
  const paths = { browserPath: textOf(flags['browser-path']), ffmpegPath: textOf(flags['ffmpeg-path']) };
  const [{ versions, full_browser, headless_shell }, tools] = await Promise.all([readHost(paths), readTools(kernel.plugins, paths)]);
  const { browsers, warm, busy, capacity, restarts } = kernel.status();
  const { adblock, in_flight, queued: waiting, max_concurrency } = status();
  const { plain, storage } = bodyLimits();
  const plugins = kernel.plugins.map(({ definition: { name, tier = 'free', outputs = [] }, version }) => ({
    name,
    version,
    tier,
    outputs: outputs.map(({ type }) => type),
  }));
  return {
    versions: { platen: kernel.version, node: process.versions.node, ...versions },
    plugins,
    pool: { browsers, warm, busy, capacity, restarts },
    queue: { in_flight, waiting },
    ...(adblock === undefined ? {} : { adblock }),
    limits: { max_concurrency, body_bytes: plain, ...(storage === undefined ? {} : { storage_body_bytes: storage }) },
    capabilities: {
      output_types: plugins.flatMap(({ outputs }) => outputs).sort(),
      processors: availableParallelism(),
      memory_bytes: totalmem(),
      platform: process.platform,
      architecture: process.arch,
      full_browser,
      headless_shell,
      video: versions.ffmpeg !== null,
      tools,
    },
  };
}

function textOf(flag: unknown): string | undefined {
  return typeof flag === 'string' ? flag : undefined;
}
