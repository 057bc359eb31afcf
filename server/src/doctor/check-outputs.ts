import type { DiscoveredPlugin } from '@platen/kernel';
import type { Asked } from '../boot/read-asked.js';
import type { Tool } from './check-tools.js';
import type { OutputState } from './report.js';

export interface OutputQuestion {
  readonly found: readonly DiscoveredPlugin[];
  readonly enabled: ReadonlySet<string>;
  readonly asked: ReadonlyMap<string, Asked>;
  readonly tools: readonly Tool[];
  /** The reason if nothing can be rendered at all. */
  readonly blocked?: { readonly because: string; readonly fix?: string } | undefined;
}

/** Checks which of the output types that installed plugins declare in their package.json the host supports. */
export function checkOutputs({ found, enabled, asked, tools, blocked }: OutputQuestion): readonly OutputState[] {
  const states = found.flatMap((plugin) => plugin.outputs.map((type) => ({ type, plugin: plugin.name, ...stateOf(plugin) })));
  return states.sort((a, b) => a.type.localeCompare(b.type, 'en'));

  function stateOf({ name: plugin, fault }: DiscoveredPlugin): Omit<OutputState, 'type' | 'plugin'> {
    if (fault !== undefined) return { state: 'missing', because: `plugin "${plugin}" cannot be loaded` };
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
