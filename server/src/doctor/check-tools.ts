import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readToolOutput } from '@platen/kernel';
import type { Fixes } from './fixes.js';
import type { Finding } from './report.js';

/**
 * A program or library that Platen uses beside the browser. Plugins require it by depending on the npm package that represents it, or by
 * declaring it.
 */
export type Tool = ({ readonly dependency: string } | { readonly plugins: readonly string[] }) & {
  readonly finding: Finding;
  /** The effect of a missing tool on the output types whose plugins require it. */
  readonly without: 'reduced' | 'missing';
  /** A plugin that also requires this npm package is only reduced: without the tool it still creates still images. */
  readonly besides?: string;
};

export interface ToolQuestion {
  /** A package that requires sharp; undefined: none does. */
  readonly pictureFolder: string | undefined;
  /** The package that requires ffmpeg; undefined: none does. */
  readonly videoFolder: string | undefined;
  /** Value of `--ffmpeg-path`. */
  readonly ffmpegPath?: string | undefined;
  readonly fixes: Fixes;
}

/** A tool that no plugin requires is not checked. */
export async function checkTools({ pictureFolder, videoFolder, ffmpegPath, fixes }: ToolQuestion): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  if (pictureFolder !== undefined) tools.push({ dependency: 'sharp', finding: await checkSharp(pictureFolder, fixes), without: 'reduced' });
  if (videoFolder !== undefined) {
    const finding = await checkFfmpeg({ videoFolder, ffmpegPath, fixes });
    tools.push({ dependency: 'fluent-ffmpeg', finding, without: 'missing', besides: 'sharp' });
  }
  return tools;
}

async function checkSharp(folder: string, { packages }: Fixes): Promise<Finding> {
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('sharp');
    // The type covers only the fields that are tested below: the package belongs to the plugins, not to the server.
    const loaded = (await import(pathToFileURL(file).href)) as {
      readonly default?: { readonly versions?: { readonly vips?: string; readonly sharp?: string } };
    };
    const version = loaded.default?.versions?.vips;
    if (version === undefined) throw new Error('sharp names no version of libvips');
    return { id: 'libvips', state: 'ok', text: `${version} (sharp ${loaded.default?.versions?.sharp ?? 'unknown'})`, facts: { version } };
  } catch {
    return {
      id: 'libvips',
      state: 'remark',
      text: 'sharp cannot be loaded: no resizing of pictures',
      fix: packages,
      facts: { version: null },
    };
  }
}

interface FfmpegQuestion extends Pick<ToolQuestion, 'ffmpegPath' | 'fixes'> {
  readonly videoFolder: string;
}

async function checkFfmpeg({ videoFolder, ffmpegPath, fixes }: FfmpegQuestion): Promise<Finding> {
  const version = await findFfmpeg(ffmpegPath === undefined ? ['ffmpeg', broughtByNpm(videoFolder)] : [ffmpegPath]);
  if (version !== undefined) return { id: 'ffmpeg', state: 'ok', text: version, facts: { version } };
  const where = ffmpegPath === undefined ? 'not found' : '--ffmpeg-path names none';
  return {
    id: 'ffmpeg',
    state: 'remark',
    text: `${where}: nothing that moves, neither pictures nor videos`,
    fix: ffmpegPath === undefined ? fixes.ffmpeg : 'correct --ffmpeg-path, or leave it out to have one looked for',
    facts: { version: null },
  };
}

/** The tool that the setup installs beside the plugins of a clone. */
function broughtByNpm(videoFolder: string): string {
  return join(videoFolder, '..', '..', '..', '.runtime', 'ffmpeg', 'ffmpeg');
}

async function findFfmpeg(commands: readonly string[]): Promise<string | undefined> {
  for (const command of commands) {
    const version = /^ffmpeg version (\S+)/.exec((await readToolOutput(command, ['-version'])) ?? '')?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}
