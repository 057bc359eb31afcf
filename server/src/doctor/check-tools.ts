import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type DiscoveredPlugin, findTool, type LoadedPlugin, readToolOutput, type ToolDeclaration } from '@platen/kernel';
import type { Fixes } from '../boot/fixes.js';
import type { Asked } from '../boot/read-asked.js';
import type { Finding } from '../service/hooks.js';

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
  readonly imageFolder: string | undefined;
  /** The enabled plugins: those that require the plugin "ffmpeg" use the program. */
  readonly enabled: readonly DiscoveredPlugin[];
  /** Value of `--ffmpeg-path`. */
  readonly ffmpegPath?: string | undefined;
  readonly fixes: Fixes;
}

/** A tool that no plugin requires is not checked. */
export async function checkTools({ imageFolder, enabled, ffmpegPath, fixes }: ToolQuestion): Promise<readonly Tool[]> {
  const tools: Tool[] = [];
  if (imageFolder !== undefined) tools.push({ dependency: 'sharp', finding: await checkSharp(imageFolder, fixes), without: 'reduced' });
  const owner = enabled.find(({ name }) => name === 'ffmpeg');
  const encoders = enabled.filter(({ requires }) => requires.includes('ffmpeg')).map(({ name }) => name);
  if (owner !== undefined && encoders.length > 0) {
    const finding = await checkFfmpeg({ folder: owner.directory, ffmpegPath, fixes });
    tools.push({ plugins: encoders, finding, without: 'missing', besides: 'sharp' });
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
    if (version === undefined) throw new Error('sharp does not report the version of libvips');
    return { id: 'libvips', state: 'ok', text: `${version} (sharp ${loaded.default?.versions?.sharp ?? 'unknown'})`, facts: { version } };
  } catch {
    return {
      id: 'libvips',
      state: 'remark',
      text: 'sharp cannot be loaded: images cannot be resized',
      fix: packages,
      facts: { version: null },
    };
  }
}

interface FfmpegQuestion extends Pick<ToolQuestion, 'ffmpegPath' | 'fixes'> {
  /** The folder of the plugin "ffmpeg". */
  readonly folder: string;
}

async function checkFfmpeg({ folder, ffmpegPath, fixes }: FfmpegQuestion): Promise<Finding> {
  const version = await findFfmpeg(ffmpegPath === undefined ? ['ffmpeg', broughtByNpm(folder)] : [ffmpegPath]);
  if (version !== undefined) return { id: 'ffmpeg', state: 'ok', text: version, facts: { version } };
  const where = ffmpegPath === undefined ? 'not found' : '--ffmpeg-path is not an ffmpeg';
  return {
    id: 'ffmpeg',
    state: 'remark',
    text: `${where}: no animated images and no videos`,
    fix: ffmpegPath === undefined ? fixes.ffmpeg : 'correct --ffmpeg-path, or omit it to search for one',
    facts: { version: null },
  };
}

/** The tool that the setup installs beside the plugins of a clone. */
function broughtByNpm(folder: string): string {
  return join(folder, '..', '..', '..', '.runtime', 'ffmpeg', 'ffmpeg');
}

async function findFfmpeg(commands: readonly string[]): Promise<string | undefined> {
  for (const command of commands) {
    const version = /^ffmpeg version (\S+)/.exec((await readToolOutput(command, ['-version'])) ?? '')?.[1];
    if (version !== undefined) return version;
  }
  return undefined;
}

export interface DeclaredToolsQuestion {
  readonly loaded: readonly LoadedPlugin[];
  readonly found: readonly DiscoveredPlugin[];
  readonly asked: ReadonlyMap<string, Asked>;
  /** Paths of programs that a flag names. */
  readonly programs?: Readonly<Record<string, string>>;
}

/** Looks for the tools that the plugins declare, in the same way as the plugins do, so that the results agree. */
export async function checkDeclaredTools({ loaded, found, asked, programs }: DeclaredToolsQuestion): Promise<readonly Tool[]> {
  const declared = new Map<string, { readonly tool: ToolDeclaration; readonly plugins: readonly string[] }>();
  for (const { definition } of loaded) {
    for (const tool of definition.tools ?? []) {
      declared.set(tool.id, { tool, plugins: [...(declared.get(tool.id)?.plugins ?? []), definition.name] });
    }
  }
  return Promise.all(
    [...declared.values()].map(async ({ tool, plugins }) => ({
      plugins,
      finding: await checkTool(tool, originOf(tool, plugins), programs),
      without: tool.optional === true ? ('reduced' as const) : ('missing' as const),
    })),
  );

  /** Where the import of the tool's package is resolved from: the package that requires it. */
  function originOf({ candidates }: ToolDeclaration, [plugin = '']: readonly string[]): string {
    const name = candidates.map((candidate) => ('package' in candidate ? candidate.package : '')).find((text) => text !== '') ?? '';
    const folder = asked.get(plugin)?.get(name) ?? found.find((one) => one.name === plugin)?.directory ?? '.';
    return join(folder, 'package.json');
  }
}

export async function checkTool(tool: ToolDeclaration, from: string, programs: DeclaredToolsQuestion['programs']): Promise<Finding> {
  const { id, candidates, fix } = tool;
  const names = candidates.map(({ name }) => name);
  const found = await findTool(tool, from, programs);
  if (found === undefined)
    return { id, state: 'remark', text: `none of ${names.join(', ')} found`, fix, facts: { name: null, version: null } };
  const { name, version, best } = found;
  const text = version === undefined ? name : `${name} ${version}`;
  const facts = { name, version: version ?? null };
  if (best) return { id, state: 'ok', text, facts };
  return { id, state: 'ok', text: `${text}; ${names[0] ?? ''} would be faster`, fix, facts };
}
