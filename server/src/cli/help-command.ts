import { CORE_PARAMS, type DiscoveredPlugin } from '@platen/kernel';
import { nearest, type Fragment } from '@platen/schema';
import { BASE_FLAGS } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { originOf } from '../flags/resolve-flags.js';
import { assertNoMore } from './assert-no-more.js';
import { takeInventory, type Inventory } from './boot.js';
import type { Catalog } from './catalog.js';
import { explainError } from './explain-error.js';
import { formatFlags, formatFullHelp, formatHelp, formatOneFlag, type Available } from './help.js';
import { formatKeys, formatKeysOf, formatOneKey, keyTopics } from './help-keys.js';
import { formatAssets, formatPlugins, pluginTopics } from './help-plugins.js';
import type { Io } from './io.js';
import { OWN_COMMANDS } from './own-commands.js';
import { commandsOf, formatCommand } from './plugin-commands.js';
import { absentPluginError, UsageError } from './usage-error.js';

/** `--help` at any position: help for the preceding command, else the overview, or the full help (`--help all`). */
export async function helpFlag(args: readonly string[], io: Io, catalog: Catalog): Promise<string> {
  const own = OWN_COMMANDS.find(({ name }) => name === args[0]);
  if (own !== undefined) return formatCommand(own);
  const found = await takeAvailable(args, io, catalog);
  const added = commandsOf(found).find(({ name }) => name === args[0]);
  if (added !== undefined) return formatCommand(added);
  const isFull = args.some((arg, index) => ['--help', '-h'].includes(arg) && args[index + 1] === 'all');
  return (isFull ? formatFullHelp : formatHelp)(found, io.program ?? 'platen');
}

/** `platen help [TOPIC] [FLAGS]`. Throws a `UsageError` for an unknown topic. */
export async function help([topic, ...rest]: readonly string[], io: Io, catalog: Catalog): Promise<string> {
  if (topic === undefined || topic === 'all') return await helpFlag(topic === undefined ? [] : ['--help', topic, ...rest], io, catalog);
  const inventory = await takeHelpInventory(rest, io, catalog);
  assertNoMore(parseArguments(rest, optionNames(inventory.flagSet, inventory.keys)).positionals, '`platen help` takes one topic');
  if (topic === 'flags') return formatFlags(inventory.flagSet);
  if (topic === 'keys') return formatKeys(inventory);
  if (topic === 'assets') return formatAssets(inventory);
  const commands = [...OWN_COMMANDS, ...commandsOf(inventory)];
  const command = commands.find(({ name }) => name === topic);
  const group = formatKeysOf(topic, inventory);
  // A command and a flag may have the same name (`config`), and so may a group and a plugin (`pdf`).
  const meant = [
    command === undefined ? undefined : formatCommand(command),
    group?.text,
    formatOneKey(topic, inventory) ?? formatPlugins(topic, inventory, group?.keys) ?? formatOneFlag(topic, inventory),
  ].filter((text) => text !== undefined);
  if (meant.length > 0) return meant.join('\n');
  const owner = absentOwner(topic, inventory);
  if (owner !== undefined) throw absentPluginError(`"${topic}"`, owner);
  const named = [...commands.map(({ name }) => name), ...Object.keys(inventory.keys), ...inventory.flagSet.keys()];
  const near = nearest(topic, ['flags', 'keys', 'assets', ...named, ...keyTopics(inventory), ...pluginTopics(inventory)]);
  throw new UsageError(
    `there is no help on "${topic}"`,
    near === undefined ? 'try `platen help keys`, `platen help flags` or `platen plugins`' : `did you mean "${near}"?`,
  );
}

/** The missing plugin of that name, or with a key, flag or output type of that name. */
function absentOwner(topic: string, { absent }: Pick<Inventory, 'absent'>): DiscoveredPlugin | undefined {
  const name = topic.replace(/^--/, '');
  return absent.find(
    ({ keys, flags, outputs, name: own }) =>
      [own, ...outputs].includes(name) || keys.includes(name.replaceAll('-', '_')) || flags.includes(name.replaceAll('_', '-')),
  );
}

/** Help must be shown even if a plugin prevents the start; the error is then on stderr. */
async function takeAvailable(args: readonly string[], io: Io, catalog: Catalog): Promise<Available> {
  try {
    return await takeHelpInventory(args, io, catalog);
  } catch (error) {
    io.stderr.write(explainError(error));
    return { found: [], loaded: [], flagSet: BASE_FLAGS, keys: CORE_PARAMS };
  }
}

/** The inventory. The tiers of keys and flags are included if a flag is set that enforces them. */
async function takeHelpInventory(args: readonly string[], io: Io, catalog: Catalog): Promise<Inventory> {
  const inventory = await takeInventory(args, io, catalog);
  const { flagSet, keys, loaded, config } = inventory;
  const sources = { options: parseArguments(args, optionNames(flagSet, keys)).options, environment: io.environment, file: config.values };
  const flags = [...flagSet.values()];
  if (flags.some((flag) => flag.fragment['x-enforces-tiers'] === true && originOf(flag, sources) !== undefined)) {
    const tiered = loaded.flatMap(({ definition: { tier, params = {} } }) =>
      tier === undefined ? [] : Object.entries(params).map(([key, fragment]) => [key, { 'x-tier': tier, ...fragment }] as const),
    );
    return { ...inventory, keys: { ...keys, ...Object.fromEntries(tiered) } };
  }
  return {
    ...inventory,
    keys: Object.fromEntries(Object.entries(keys).map(([key, fragment]) => [key, withoutTier(fragment)])),
    flagSet: new Map(flags.map((flag) => [flag.name, { ...flag, fragment: withoutTier(flag.fragment) }])),
  };
}

function withoutTier({ 'x-tier': _, ...fragment }: Fragment): Fragment {
  return fragment;
}
