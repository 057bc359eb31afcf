import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { askTool } from './ask-tool.js';
import { FIX, type Finding } from './report.js';

/** A program or library beside the browser, as plugins ask for it by the npm package that stands for it. */
export interface Tool {
  readonly dependency: string;
  readonly finding: Finding;
  /** What becomes of an output type whose plugin asks for the tool, where it is missing. */
  readonly without: 'reduced' | 'missing';
}

/**
 * @param pictureFolder a package that asks for sharp; undefined: none does
 * @param filmFolder a package that asks for ffmpeg; undefined: none does
 */
export async function examineTools(pictureFolder: string | undefined, filmFolder: string | undefined): Promise<readonly Tool[]> {
  return [
    { dependency: 'sharp', finding: await examineSharp(pictureFolder), without: 'reduced' },
    { dependency: 'fluent-ffmpeg', finding: await examineFfmpeg(filmFolder !== undefined), without: 'missing' },
  ];
}

async function examineSharp(folder: string | undefined): Promise<Finding> {
  if (folder === undefined) return { id: 'libvips', state: 'ok', text: 'not asked for by any plugin', facts: { version: null } };
  try {
    const file = createRequire(join(folder, 'package.json')).resolve('sharp');
    // The type is what we test for below: the package is the plugins', not the server's.
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
      fix: FIX.packages,
      facts: { version: null },
    };
  }
}

async function examineFfmpeg(wanted: boolean): Promise<Finding> {
  const version = /^ffmpeg version (\S+)/.exec((await askTool('ffmpeg', ['-version'])) ?? '')?.[1];
  if (version !== undefined) return { id: 'ffmpeg', state: 'ok', text: version, facts: { version } };
  if (!wanted) return { id: 'ffmpeg', state: 'ok', text: 'not found, and not asked for by any plugin', facts: { version: null } };
  return { id: 'ffmpeg', state: 'remark', text: 'not found: no films', fix: FIX.ffmpeg, facts: { version: null } };
}
