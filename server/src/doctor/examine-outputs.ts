import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { DiscoveredPlugin } from '@platen/kernel';
import type { Tool } from './examine-tools.js';
import type { OutputState } from './report.js';

/** Which folder asks for which npm package: a plugin's own folder, and those of the `@platen/` packages that it is built on. */
export type Asked = ReadonlyMap<string, string>;

/** Reads what a package asks for, itself and through its `@platen/` packages. Reads package.json files, runs nothing. */
export async function readAsked(folder: string, seen = new Set<string>()): Promise<Asked> {
  const asked = new Map<string, string>();
  if (seen.has(folder)) return asked;
  seen.add(folder);
  for (const name of await readDependencies(folder)) {
    asked.set(name, folder);
    const inner = name.startsWith('@platen/') ? locate(name, folder) : undefined;
    if (inner === undefined) continue;
    for (const [theirs, from] of await readAsked(inner, seen)) if (!asked.has(theirs)) asked.set(theirs, from);
  }
  return asked;
}

async function readDependencies(folder: string): Promise<readonly string[]> {
  const manifest: unknown = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) return [];
  return ['dependencies', 'peerDependencies', 'optionalDependencies'].flatMap((field) => {
    const value: unknown = Reflect.get(manifest, field);
    return typeof value === 'object' && value !== null ? Object.keys(value) : [];
  });
}

/** A dependency's folder, by the way in which Node looks for it; its entry need not exist. */
function locate(name: string, from: string): string | undefined {
  const places = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  for (const place of places) {
    try {
      return dirname(createRequire(join(from, 'package.json')).resolve(join(place, name, 'package.json')));
    } catch {
      // Not in this folder: the next one up.
    }
  }
  return undefined;
}

export interface OutputQuestion {
  readonly found: readonly DiscoveredPlugin[];
  readonly enabled: ReadonlySet<string>;
  readonly asked: ReadonlyMap<string, Asked>;
  readonly tools: readonly Tool[];
  /** Why nothing can be rendered at all, if so. */
  readonly blocked?: { readonly because: string; readonly fix?: string } | undefined;
}

/** What the host makes of each output type that an installed plugin declares in its package.json. */
export function examineOutputs({ found, enabled, asked, tools, blocked }: OutputQuestion): readonly OutputState[] {
  const states = found.flatMap(({ name, outputs }) => outputs.map((type) => ({ type, plugin: name, ...stateOf(name) })));
  return states.sort((a, b) => a.type.localeCompare(b.type, 'en'));

  function stateOf(plugin: string): Omit<OutputState, 'type' | 'plugin'> {
    if (!enabled.has(plugin))
      return { state: 'disabled', because: `plugin "${plugin}" is not enabled`, fix: `platen --plugins ...,${plugin}` };
    if (blocked !== undefined) return { state: 'missing', ...blocked };
    const lacking = tools.find((tool) => tool.finding.state !== 'ok' && asksFor(plugin, tool));
    if (lacking === undefined) return { state: 'ready' };
    const { finding, without, besides } = lacking;
    const partly = besides !== undefined && asked.get(plugin)?.has(besides) === true;
    return {
      state: partly ? 'reduced' : without,
      because: `${finding.id.replaceAll('_', ' ')}: ${finding.text}`,
      ...(finding.fix === undefined ? {} : { fix: finding.fix }),
    };
  }

  function asksFor(plugin: string, tool: Tool): boolean {
    return 'dependency' in tool ? asked.get(plugin)?.has(tool.dependency) === true : tool.plugins.includes(plugin);
  }
}
