import { KERNEL_FLAGS, PlatenError, type LoadedPlugin } from '@platen/kernel';
import type { Fragment, Fragments } from '@platen/schema';
import { SERVER_FLAGS } from './server-flags.js';

/** One start-up flag: its fragment, and the plugin (or `server`, `browser`) that owns it. */
export interface Flag {
  readonly name: string;
  readonly owner: string;
  readonly fragment: Fragment;
}

export type FlagSet = ReadonlyMap<string, Flag>;

/** The flags that exist before plugins are loaded. */
export const BASE_FLAGS: FlagSet = new Map(
  [...toFlags('server', SERVER_FLAGS), ...toFlags('browser', KERNEL_FLAGS)].map((flag) => [flag.name, flag]),
);

/** The base flags and the plugins' flags; throws `boot_invalid_flag` if two owners have the same name. */
export function collectFlags(plugins: readonly LoadedPlugin[]): FlagSet {
  const flags = new Map(BASE_FLAGS);
  for (const flag of plugins.flatMap(({ definition }) => toFlags(definition.name, definition.flags ?? {}))) {
    const earlier = flags.get(flag.name);
    if (earlier !== undefined)
      throw new PlatenError('boot_invalid_flag', `"${earlier.owner}" and "${flag.owner}" both own the flag --${flag.name}`);
    if (!/^[a-z][a-z0-9-]*$/.test(flag.name))
      throw new PlatenError(
        'boot_invalid_flag',
        `plugin "${flag.owner}" has a flag "${flag.name}": use lower-case letters, digits and dashes`,
      );
    flags.set(flag.name, flag);
  }
  return flags;
}

function toFlags(owner: string, fragments: Fragments): readonly Flag[] {
  return Object.entries(fragments).map(([name, fragment]) => ({ name, owner, fragment }));
}

/** `server-bind-port` is `PLATEN_SERVER_BIND_PORT`. */
export function environmentName(flag: string): string {
  return `PLATEN_${flag.replaceAll('-', '_').toUpperCase()}`;
}

/** Whether the flag is valid on the command line only: `--help` in the environment would have no effect. */
export function isCliOnly({ fragment }: Flag): boolean {
  return fragment['x-sources']?.join() === 'flags';
}

/** Whether the flag takes no value on a command line: `--server`. */
/** The fragment of an on/off flag. */
export const SWITCH: Fragment = { type: 'boolean' };

export function isSwitch({ type }: Fragment): boolean {
  return type === 'boolean';
}

export function isList({ type }: Fragment): boolean {
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}
