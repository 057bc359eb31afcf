import type { Kernel } from '@platen/kernel';
import { collectFlags } from '../flags/flag-set.js';
import type { FlagValues } from '../service/hooks.js';

/** A path that startup flags enable. */
export interface FlagPath {
  readonly path: string;
  /** Flags that each enable the path: names without leading dashes. */
  readonly flags: readonly string[];
  readonly isEnabled: boolean;
}

/** The paths that the flags of the server's plugins declare (`x-paths`). */
export function listFlagPaths({ plugins }: Pick<Kernel, 'plugins'>, values: FlagValues): readonly FlagPath[] {
  const flagsByPath = new Map<string, string[]>();
  for (const [name, { fragment }] of collectFlags(plugins)) {
    for (const path of fragment['x-paths'] ?? []) flagsByPath.set(path, [...(flagsByPath.get(path) ?? []), name]);
  }
  return [...flagsByPath].map(([path, flags]) => ({ path, flags, isEnabled: flags.some((flag) => isOn(values[flag])) }));
}

/** A flag that enables a path may also accept a folder. */
function isOn(value: unknown): boolean {
  return value !== undefined && value !== false;
}

/** The flags as on a command line: `--server-enable-schema or --server-enable-docs`. */
export function nameFlags({ flags }: FlagPath): string {
  return flags.map((flag) => `--${flag}`).join(' or ');
}
