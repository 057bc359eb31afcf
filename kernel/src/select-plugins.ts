import { nearest } from '@platen/schema';
import type { DiscoveredPlugin } from './discovery.js';
import { PlatenError } from './errors.js';

/**
 * Splits the discovered plugins by `--plugins` and `--disable-plugins`. The requirements of an enabled plugin are enabled too. A plugin is
 * not optional if `--plugins` enables it, or if a plugin that is not optional requires it.
 */
export function selectPlugins(
  found: readonly DiscoveredPlugin[],
  { only, without = [] }: { readonly only?: readonly string[] | undefined; readonly without?: readonly string[] | undefined },
): { readonly enabled: readonly DiscoveredPlugin[]; readonly absent: readonly DiscoveredPlugin[] } {
  // The first plugin of each name, which is Platen's own if it exists.
  const byName = new Map(found.toReversed().map((plugin) => [plugin.name, plugin]));
  for (const name of [...(only ?? []), ...without]) {
    if (byName.has(name)) continue;
    const near = nearest(name, byName.keys());
    const meant = near === undefined ? '' : `; did you mean "${near}"?`;
    throw new PlatenError(
      'boot_unknown_plugin',
      `there is no plugin "${name}"${meant} (installed: ${[...byName.keys()].sort().join(', ')})`,
    );
  }
  if (only === undefined) assertNotRequired(found, without);
  const chosen = withRequired(only ?? byName.keys(), { byName, without });
  const enabled = found.filter(({ name }) => chosen.has(name));
  assertNotTakenAway(enabled, without);
  const needed = withRequired(only ?? enabled.filter(({ optional }) => optional !== true).map(({ name }) => name), { byName });
  return {
    enabled: enabled.map((plugin) =>
      needed.has(plugin.name) && byName.get(plugin.name) === plugin ? { ...plugin, optional: false } : plugin,
    ),
    absent: found.filter(({ name }) => !chosen.has(name)),
  };
}

/** The named plugins and their direct and indirect requirements. */
function withRequired(
  names: Iterable<string>,
  { byName, without = [] }: { readonly byName: ReadonlyMap<string, DiscoveredPlugin>; readonly without?: readonly string[] },
): ReadonlySet<string> {
  const chosen = new Set<string>();
  const choose = (name: string) => {
    if (chosen.has(name) || without.includes(name)) return;
    chosen.add(name);
    byName.get(name)?.requires.forEach(choose);
  };
  for (const name of names) choose(name);
  return chosen;
}

/** `--plugins png --disable-plugins screenshot`: a plugin enabled by one flag requires a plugin disabled by the other. */
function assertNotTakenAway(enabled: readonly DiscoveredPlugin[], without: readonly string[]): void {
  const lacking = enabled.flatMap(({ name, requires }) => {
    const gone = requires.filter((required) => without.includes(required)).map((required) => `"${required}"`);
    return gone.length === 0 ? [] : [`"${name}" requires ${gone.join(' and ')}`];
  });
  if (lacking.length === 0) return;
  throw new PlatenError('boot_missing_requirement', `plugins require others that --disable-plugins disables: ${lacking.join('; ')}`);
}

/** Disabling a plugin reports all plugins that require it in one error. */
function assertNotRequired(found: readonly DiscoveredPlugin[], without: readonly string[]): void {
  const gone = new Set(without);
  for (let before = -1; before !== gone.size;) {
    before = gone.size;
    for (const { name, requires } of found) if (requires.some((required) => gone.has(required))) gone.add(name);
  }
  const left = [...gone].filter((name) => !without.includes(name)).sort();
  if (left.length === 0) return;
  const stay = left.map((name) => `"${name}"`).join(', ');
  throw new PlatenError(
    'boot_missing_requirement',
    `${left.length === 1 ? 'plugin' : 'plugins'} ${stay} cannot be enabled without a disabled plugin: use --disable-plugins ${[...without, ...left].join(',')}`,
  );
}
