import { join } from 'node:path';
import { findTool, type DiscoveredPlugin, type LoadedPlugin, type ToolDeclaration } from '@platen/kernel';
import type { Tool } from './check-tools.js';
import type { Asked } from './read-asked.js';
import type { Finding } from './report.js';

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
      without: 'missing' as const,
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
