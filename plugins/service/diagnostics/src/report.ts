import { availableParallelism, totalmem } from 'node:os';
import { findBrowsers, findTool, type FoundBrowser, type LoadedPlugin, readVersion, type ServerApi } from '@platen/kernel';
import type { AdblockReport } from '@platen/server';
import { createFfmpegSource, findFfmpeg } from '@platen/lib-ffmpeg-host';

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
  const { plain, large } = bodyLimits();
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
    limits: { max_concurrency, body_bytes: plain, ...(large === undefined ? {} : { storage_body_bytes: large }) },
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

/** Versions of host programs; null if missing. */
interface HostVersions {
  readonly browser: string | null;
  readonly ffmpeg: string | null;
  readonly libvips: string | null;
}

interface Host {
  readonly versions: HostVersions;
  readonly full_browser: boolean;
  readonly headless_shell: boolean;
}

/** Paths given by flags. */
interface HostPaths {
  readonly browserPath: string | undefined;
  readonly ffmpegPath: string | undefined;
}

/** Reads the version of each program. All are optional, and each has a timeout. */
async function readHost({ browserPath, ffmpegPath }: HostPaths): Promise<Host> {
  const found = await findBrowsers(browserPath === undefined ? {} : { browserPath });
  const [browser, ffmpeg, libvips] = await Promise.all([versionOf(found.shell ?? found.full), ffmpegVersion(ffmpegPath), libvipsVersion()]);
  return { versions: { browser, ffmpeg, libvips }, full_browser: found.full !== undefined, headless_shell: found.shell !== undefined };
}

async function versionOf(browser: FoundBrowser | undefined): Promise<string | null> {
  return browser === undefined ? null : ((await readVersion(browser.path, browser.libraries)) ?? null);
}

/** Finds ffmpeg as the video plugins do. */
async function ffmpegVersion(path: string | undefined): Promise<string | null> {
  return createFfmpegSource({ path })().then(
    ({ version }) => version,
    () => null,
  );
}

/** sharp is a dependency of the plugins that resize; trimmed builds may lack it. */
async function libvipsVersion(): Promise<string | null> {
  try {
    const { default: sharp } = await import('sharp');
    return sharp.versions.vips;
  } catch {
    return null;
  }
}

/** The host tools that plugins declare, by declaration name: the tool in use, or null. */
type ToolReport = Readonly<Record<string, { readonly name: string; readonly version: string | null } | null>>;

/** Finds tools as the plugins do. */
async function readTools(plugins: readonly LoadedPlugin[], { ffmpegPath }: Pick<HostPaths, 'ffmpegPath'>): Promise<ToolReport> {
  const ffmpeg = await findFfmpeg({ path: ffmpegPath });
  const programs = ffmpeg === undefined ? {} : { ffmpeg };
  const tools = new Map(plugins.flatMap(({ definition }) => definition.tools ?? []).map((tool) => [tool.id, tool]));
  const found = await Promise.all(
    [...tools.values()].map(async (tool) => {
      const taken = await findTool(tool, tool.from ?? import.meta.url, programs);
      return [tool.id, taken === undefined ? null : { name: taken.name, version: taken.version ?? null }] as const;
    }),
  );
  return Object.fromEntries(found);
}
