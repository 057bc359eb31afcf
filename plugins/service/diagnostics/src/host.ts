import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findBrowsers, readVersion, type FoundBrowser } from '@platen/kernel';

/** Versions of what the host brings; null where it is missing. */
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

/** Asks each tool for its version; none of them is needed, and none may take longer than its bound. */
export async function readHost(browserPath: string | undefined): Promise<Host> {
  const found = await findBrowsers(browserPath === undefined ? {} : { browserPath });
  const [browser, ffmpeg, libvips] = await Promise.all([versionOf(found.shell ?? found.full), ffmpegVersion(), libvipsVersion()]);
  return { versions: { browser, ffmpeg, libvips }, full_browser: found.full !== undefined, headless_shell: found.shell !== undefined };
}

async function versionOf(browser: FoundBrowser | undefined): Promise<string | null> {
  return browser === undefined ? null : ((await readVersion(browser.path, browser.libraries)) ?? null);
}

async function ffmpegVersion(): Promise<string | null> {
  try {
    const { stdout } = await promisify(execFile)('ffmpeg', ['-version'], { timeout: 5_000 });
    return /^ffmpeg version (\S+)/.exec(stdout)?.[1] ?? null;
  } catch {
    return null;
  }
}

/** sharp comes with the plugins that resize; a build without them has none. */
async function libvipsVersion(): Promise<string | null> {
  try {
    const { default: sharp } = await import('sharp');
    return sharp.versions.vips;
  } catch {
    return null;
  }
}
