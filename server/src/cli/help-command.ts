import {
  type AssetDeclaration,
  CORE_PARAMS,
  type DiscoveredPlugin,
  type LoadedPlugin,
  type OutputDeclaration,
  type Plugin,
} from '@platen/kernel';
import { type Fragment, groupKeys, type KeyGroup, nearest } from '@platen/schema';
import { type Inventory, takeInventory } from '../boot/boot.js';
import type { Catalog } from '../boot/catalog.js';
import { explainError } from '../boot/explain-error.js';
import type { Io } from '../boot/io.js';
import { BASE_FLAGS } from '../flags/flag-set.js';
import { optionNames, parseArguments } from '../flags/parse-arguments.js';
import { originOf } from '../flags/resolve-flags.js';
import { absentPluginError, UsageError } from '../flags/usage-error.js';
import { describeFragment, formatValues, placeholder, wrap } from './describe-fragment.js';
import { type Available, formatFlag, formatFlags, formatFullHelp, formatHelp, formatOneFlag, ownersOf } from './help.js';
import { COMMANDS, commandsOf, formatCommand } from './commands.js';
import { formatError, searchFragments } from './search-help.js';

/** `--help` at any position: help for the preceding command, else the overview, or the full help (`--help all`). */
export async function helpFlag(args: readonly string[], io: Io, catalog: Catalog): Promise<string> {
  const own = COMMANDS.find(({ name }) => name === args[0]);
  if (own !== undefined) return formatCommand(own);
  const found = await takeAvailable(args, io, catalog);
  const added = commandsOf(found).find(({ name }) => name === args[0]);
  if (added !== undefined) return formatCommand(added);
  const isFull = args.some((arg, index) => ['--help', '-h'].includes(arg) && args[index + 1] === 'all');
  return (isFull ? formatFullHelp : formatHelp)(found, io.program ?? 'platen');
}

/** `platen help [WORD...] [FLAGS]`. Throws a `UsageError` for an unknown topic. */
export async function help([first, ...rest]: readonly string[], io: Io, catalog: Catalog): Promise<string> {
  if (first === undefined || first === 'all') return await helpFlag(first === undefined ? [] : ['--help', first, ...rest], io, catalog);
  const inventory = await takeHelpInventory(rest, io, catalog);
  const { positionals } = parseArguments(rest, optionNames(inventory.flagSet, inventory.keys));
  const topic = [first, ...positionals].join(' ');
  if (topic === 'flags') return formatFlags(inventory.flagSet);
  if (topic === 'keys') return formatKeys(inventory);
  if (topic === 'assets') return formatAssets(inventory);
  const commands = [...COMMANDS, ...commandsOf(inventory)];
  const command = commands.find(({ name }) => name === topic);
  const group = formatKeysOf(topic, inventory);
  // A command and a flag may have the same name (`config`), and so may a group and a plugin (`pdf`).
  const meant = [
    command === undefined ? undefined : formatCommand(command),
    group?.text,
    formatOneKey(topic, inventory) ?? formatPlugins(topic, inventory, group?.keys) ?? formatOneFlag(topic, inventory) ?? formatError(topic),
  ].filter((text) => text !== undefined);
  if (meant.length > 0) return meant.join('\n');
  const owner = absentOwner(topic, inventory);
  if (owner !== undefined) throw absentPluginError(`"${topic}"`, owner);
  const searched = topic.startsWith('-') ? undefined : formatSearch(topic, inventory);
  if (searched !== undefined) return searched;
  const named = [...commands.map(({ name }) => name), ...Object.keys(inventory.keys), ...inventory.flagSet.keys()];
  const near = nearest(topic, ['flags', 'keys', 'assets', ...named, ...keyTopics(inventory), ...pluginTopics(inventory)]);
  throw new UsageError(
    `no help is available for "${topic}"`,
    near === undefined ? 'try `platen help keys`, `platen help flags` or `platen plugins`' : `did you mean "${near}"?`,
  );
}

/** `platen help cookie banner`: the keys and flags that the words name; undefined if there are none. */
function formatSearch(words: string, available: Available): string | undefined {
  const keys = searchFragments(words, Object.entries(available.keys));
  const flags = searchFragments(
    words,
    [...available.flagSet].map(([name, { fragment }]) => [name, fragment] as const),
  );
  const described = [...keys.described, ...flags.described.map((name) => `--${name}`)];
  const found = [
    ...keys.named.map((name) => formatOneKey(name, available)),
    ...flags.named.map((name) => formatOneFlag(name, available)),
    described.length === 0 ? undefined : `Mentioned by\n${wrap(described.join(', '), '  ')}\n`,
  ].filter((text) => text !== undefined);
  return found.length === 0 ? undefined : found.join('');
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

/**
 * `platen help har`: the plugins of that name, or with an output type or an asset of that name; undefined if there is none. Keys that were
 * already shown are omitted.
 */
function formatPlugins(topic: string, available: Available, shown: readonly string[] = []): string | undefined {
  const name = topic.toLowerCase();
  const named = available.loaded.filter(({ definition }) => namesOf(definition).includes(name));
  return named.length === 0 ? undefined : named.map((plugin) => formatPlugin(plugin, available, shown)).join('\n');
}

/** Names by which `platen help` finds plugins. */
function pluginTopics({ loaded }: Pick<Available, 'loaded'>): readonly string[] {
  return loaded.flatMap(({ definition }) => namesOf(definition));
}

/** `platen help assets`: the additional assets of a render, and how to request them. */
function formatAssets({ loaded, keys }: Available): string {
  const assets = loaded.flatMap(({ definition }) => definition.assets ?? []);
  const lines = assets.map(({ key }) => formatKey(key, keys[key] ?? {}, loaded));
  return `Additional assets accompany any output. A server links to each in the \`Link\` header of its
response (GET /assets); the command line writes each beside the output file: page.png, page.har.
An asset that could not be created is reported with its reason, in \`X-Missing-Assets\` or on
stderr.

${lines.length === 0 ? '  No enabled plugin has any.' : lines.join('\n')}
`;
}

function namesOf({ name, outputs = [], assets = [] }: Plugin): readonly string[] {
  return [name, ...outputs.flatMap(({ type, aliases = [] }) => [type, ...aliases]), ...assets.map((asset) => asset.name)];
}

function formatPlugin(plugin: LoadedPlugin, { found, flagSet, keys, loaded }: Available, shown: readonly string[]): string {
  const { definition, packageName, version } = plugin;
  const { name, requires = [], outputs = [], assets = [], params = {}, commands = [] } = definition;
  const { description } = found.find((one) => one.name === name) ?? {};
  const own = Object.keys(params).filter((key) => !shown.includes(key));
  const flags = [...flagSet.values()].filter(({ owner }) => owner === name);
  const sections: readonly (readonly [title: string, lines: readonly string[]])[] = [
    ['Output types', outputs.map(formatOutput)],
    ['Additional assets', assets.map(formatAsset)],
    ['Keys', own.map((key) => formatKey(key, keys[key] ?? {}, loaded))],
    ['Flags', flags.map(formatFlag)],
    ['Commands', commands.map((command) => formatCommand(command).trimEnd())],
    ['Requires the plugins', requires.length === 0 ? [] : [`  ${requires.join(', ')}`]],
  ];
  const head = `Plugin "${name}" ${version} (${packageName})\n${description === undefined ? '' : `${wrap(description)}\n`}`;
  return `${head}${sections.map(([title, lines]) => (lines.length === 0 ? '' : `\n${title}\n${lines.join('\n')}\n`)).join('')}`;
}

function formatOutput({ type, contentType, extension, endings = [], aliases = [] }: OutputDeclaration): string {
  const also = aliases.length === 0 ? '' : `, also ${aliases.join(', ')}`;
  return `  --output-type ${type}${also}\n${wrap(`${contentType}; file extension ${[extension, ...endings].map((ending) => `.${ending}`).join(', ')}`)}`;
}

function formatAsset({ key, name }: AssetDeclaration): string {
  return `  ${name}, by --${key.replaceAll('_', '-')}`;
}

type Keys = Pick<Inventory, 'loaded' | 'keys'>;

/** `platen help keys`: every key of a request, by section of the interface specification. */
function formatKeys(available: Keys): string {
  const groups = groupKeys(ownersOf(available)).map((group) => formatGroup(group, available));
  return `As a query parameter or a JSON key: full_page. As a flag of the command line: --full-page.\n\n${groups.join('\n')}`;
}

/** `platen help emulation`: the keys of one section, with their names. Undefined if there is no such section. */
function formatKeysOf(topic: string, available: Keys): { readonly text: string; readonly keys: readonly string[] } | undefined {
  const group = groupKeys(ownersOf(available)).find(({ name }) => name === topic.toLowerCase());
  return group === undefined ? undefined : { text: formatGroup(group, available), keys: group.keys };
}

/** The names of the sections. */
function keyTopics(available: Keys): readonly string[] {
  return groupKeys(ownersOf(available)).map(({ name }) => name);
}

function formatGroup({ title, keys: names }: KeyGroup, { loaded, keys }: Keys): string {
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  return `${title}\n${names.map((name) => formatKey(name, keyFragment(name, keys[name] ?? {}, outputs), loaded)).join('\n')}\n`;
}

/** One key: `platen help wait_for`. Undefined if there is no such key. */
function formatOneKey(word: string, { loaded, keys }: Keys): string | undefined {
  const name = word.replace(/^--/, '').replaceAll('-', '_');
  const fragment = keys[name];
  const outputs = loaded.flatMap(({ definition }) => definition.outputs ?? []).map(({ type }) => type);
  if (fragment === undefined) return undefined;
  const { 'x-values': values, ...rest } = keyFragment(name, fragment, outputs);
  return `${formatKey(name, rest, loaded)}\n${values === undefined ? '' : `\n${formatValues(values)}\n`}`;
}

/** The key's enumeration is the union of the enabled plugins' outputs. */
function keyFragment(name: string, fragment: Fragment, outputs: readonly string[]): Fragment {
  return name === 'output_type' ? { ...fragment, enum: outputs } : fragment;
}

/** A key with its type, and its description below; the plugins report whether it has the name of a secret flag. */
function formatKey(name: string, fragment: Fragment, loaded: Inventory['loaded']): string {
  const sources = fragment['x-sources'];
  const more = [
    ...(fragment['x-extension'] === true ? ['beyond the interface specification'] : []),
    ...(sources === undefined ? [] : [`only in ${sources.join(', ')}`]),
    ...(fragment['x-at-file'] === true || isSecret(name, loaded) ? ['on the command line @FILE reads it from a file'] : []),
    ...(fragment['x-values'] === undefined ? [] : [`\`platen help ${name}\` lists them`]),
  ];
  return `  ${name} ${placeholder(fragment)}\n${describeFragment(fragment, more)}`;
}

function isSecret(key: string, loaded: Inventory['loaded']): boolean {
  const flag = key.replaceAll('_', '-');
  return loaded.some(({ definition: { flags = {} } }) => flags[flag]?.['x-secret'] === true);
}
