import { availableParallelism, totalmem } from 'node:os';
import type { ServerApi } from '@platen/kernel';
import type { AdblockReport } from '@platen/server';
import { readHost, readTools, type HostVersions, type ToolReport } from './host.js';

/** Response of `diagnostics=true`. Contains no secret, value of an environment variable or path. */
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
  /** With `--adblock-rules`: number of rules, and requests blocked since startup. */
  readonly adblock?: AdblockReport;
  readonly limits: {
    readonly max_concurrency: number;
    readonly body_bytes: number;
    /** Maximum size of a body with a browser storage, if accepted. */
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
