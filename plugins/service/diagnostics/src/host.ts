import { findBrowsers, findTool, readVersion, type FoundBrowser, type LoadedPlugin } from '@platen/kernel';
import { createFfmpegSource, findFfmpeg } from '@platen/lib-ffmpeg-host';

/** Versions of host programs; null if missing. */
export interface HostVersions {
  readonly browser: string | null;
  readonly ffmpeg: string | null;
  readonly libvips: string | null;
}

export interface Host {
  readonly versions: HostVersions;
  readonly full_browser: boolean;
  readonly headless_shell: boolean;
}

/** Paths given by flags. */
export interface HostPaths {
  readonly browserPath: string | undefined;
  readonly ffmpegPath: string | undefined;
}

/** Reads the version of each program. All are optional, and each has a timeout. */
export async function readHost({ browserPath, ffmpegPath }: HostPaths): Promise<Host> {
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
export type ToolReport = Readonly<Record<string, { readonly name: string; readonly version: string | null } | null>>;

/** Finds tools as the plugins do. */
export async function readTools(plugins: readonly LoadedPlugin[], { ffmpegPath }: Pick<HostPaths, 'ffmpegPath'>): Promise<ToolReport> {
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
