import type { DiscoveredPlugin, LoadedPlugin } from '@platen/kernel';
import { nearest, suggest, type Fragments } from '@platen/schema';
import { environmentName, isCliOnly, type FlagSet } from '../flags/flag-set.js';
import { inConfig, type FlagSources } from '../flags/resolve-flags.js';
import { absentPluginError, UsageError } from '../flags/usage-error.js';
import { typesFor } from './output-type.js';

export interface Known {
  readonly flagSet: FlagSet;
  readonly keys: Fragments;
  readonly loaded: readonly LoadedPlugin[];
  readonly absent: readonly DiscoveredPlugin[];
  /** A server does not accept request keys as flags. */
  readonly serving: boolean;
}

/** Rejects unknown flags and config keys. The error names the nearest known one, or the plugin that has it. */
export function assertKnown({ options, file, environment, lines }: FlagSources, known: Known): void {
  for (const { name } of options) if (!known.flagSet.has(name)) throw unknown(`--${name}`, name, known);
  for (const name of Object.keys(file)) {
    const flag = known.flagSet.get(name);
    const shown = inConfig(name, lines === undefined ? {} : { lines });
    if (flag === undefined) throw unknown(shown, name, known);
    if (name === 'config')
      throw new UsageError(`${shown} has no effect there`, 'a config file cannot name another: use --config or PLATEN_CONFIG');
    if (isCliOnly(flag)) throw new UsageError(`${shown} has no effect there`, `use --${name} on the command line`);
  }
  if (known.serving) assertHeard(environment, known.absent);
}

/** If the environment configures credentials whose plugin is not enabled, the server must not start without them. */
function assertHeard(environment: FlagSources['environment'], absent: readonly DiscoveredPlugin[]): void {
  for (const plugin of absent) {
    const variable = plugin.flags.map(environmentName).find((each) => (environment[each] ?? '') !== '');
    if (variable !== undefined) throw absentPluginError(variable, plugin);
  }
}

function unknown(shown: string, name: string, known: Known): UsageError {
  const { flagSet, keys, absent, serving } = known;
  const owner = absent.find(({ flags, keys: absentKeys }) => flags.includes(name) || absentKeys.includes(toKey(name)));
  if (owner !== undefined) return absentPluginError(shown, owner);
  // As a flag, a key is spelled with dashes; `--full_page` is a typing error, except for a server, which accepts neither spelling.
  if (Object.hasOwn(keys, toKey(name)) && (serving || !shown.startsWith('--')))
    return new UsageError(
      `${shown} is a request key, not a startup flag`,
      `a server receives it with the requests; to render one page: platen URL [FILE]${name === 'url' ? '' : ` --${name.replaceAll('_', '-')}`}`,
    );
  // The flags of curl and wget.
  if (['o', 'O', 'output'].includes(name))
    return new UsageError(`unknown flag ${shown}`, 'the file is the second argument: platen URL FILE');
  const near = nearest(name, [...flagSet.keys(), ...Object.keys(keys).map((key) => key.replaceAll('_', '-'))]);
  const hint = suggestFlag(name, known) ?? (near === undefined ? undefined : `did you mean --${near}?`);
  return new UsageError(`unknown flag ${shown}`, hint ?? '`platen help flags` and `platen help keys` list them');
}

function suggestFlag(name: string, { flagSet, keys, loaded }: Known): string | undefined {
  const flags = Object.fromEntries([...flagSet].map(([flag, { fragment }]) => [flag, fragment]));
  const [outputType, ...others] = typesFor(
    name,
    loaded.flatMap(({ definition }) => definition.outputs ?? []),
  );
  return suggest(name, {
    fragments: { ...keys, ...flags },
    outputType: others.length === 0 ? outputType : undefined,
    write: (key, value) => `--${key.replaceAll('_', '-')}${value === undefined ? '' : ` ${value}`}`,
  });
}

function toKey(name: string): string {
  return name.replaceAll('-', '_');
}

/** Environment variables that look like a misspelled flag: worth a warning, since they have no effect. */
export function misspelledVariables(
  environment: Readonly<Record<string, string | undefined>>,
  flagSet: FlagSet,
): readonly (readonly [string, string])[] {
  const known = [...flagSet.values()].filter((flag) => !isCliOnly(flag)).map(({ name }) => environmentName(name));
  return Object.keys(environment)
    .filter((name) => name.startsWith('PLATEN_') && !known.includes(name))
    .flatMap((name) => {
      const near = nearest(name, known);
      return near === undefined ? [] : [[name, near] as const];
    });
}
