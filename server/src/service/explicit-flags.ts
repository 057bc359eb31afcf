import type { Kernel } from '@platen/kernel';
import { collectFlags } from '../flags/flag-set.js';
import type { FlagValues } from './hooks.js';

/** Which startup flags have an active value. */
export interface ExplicitFlags {
  has(flag: string): boolean;
  /** Replaces the active values, of the flags that can change without a restart. */
  follow(flags: FlagValues): void;
}

/** A secret that was removed still counts: its owner uses the former one until a restart. */
export function createGivenFlags({ plugins }: Pick<Kernel, 'plugins'>, flags: FlagValues): ExplicitFlags {
  const flagSet = collectFlags(plugins);
  const given = new Set(Object.keys(flags).filter((name) => isGiven(flags[name])));
  return {
    has: (flag) => given.has(flag),
    follow(next) {
      for (const { name, fragment } of flagSet.values()) {
        if (fragment['x-reloads'] !== true) continue;
        if (isGiven(next[name])) given.add(name);
        else if (fragment['x-secret'] !== true) given.delete(name);
      }
    },
  };
}

/** A switch that is off and an empty list count as not set. */
function isGiven(value: unknown): boolean {
  return value !== undefined && value !== false && !(Array.isArray(value) && value.length === 0);
}
