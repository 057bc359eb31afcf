import type { AssetDeclaration, LoadedPlugin, OutputDeclaration, Plugin } from '@platen/kernel';
import { wrap } from './describe-fragment.js';
import { formatFlag, type Available } from './help.js';
import { formatKey } from './help-keys.js';
import { formatCommand } from './plugin-commands.js';

/**
 * `platen help har`: the plugins of that name, or with an output type or an asset of that name; undefined if there is none. Keys that were
 * already shown are omitted.
 */
export function formatPlugins(topic: string, available: Available, shown: readonly string[] = []): string | undefined {
  const name = topic.toLowerCase();
  const named = available.loaded.filter(({ definition }) => namesOf(definition).includes(name));
  return named.length === 0 ? undefined : named.map((plugin) => formatPlugin(plugin, available, shown)).join('\n');
}

/** Names by which `platen help` finds plugins. */
export function pluginTopics({ loaded }: Pick<Available, 'loaded'>): readonly string[] {
  return loaded.flatMap(({ definition }) => namesOf(definition));
}

/** `platen help assets`: the additional assets of a render, and how to request them. */
export function formatAssets({ loaded, keys }: Available): string {
  const assets = loaded.flatMap(({ definition }) => definition.assets ?? []);
  const lines = assets.map(({ key }) => formatKey(key, keys[key] ?? {}, loaded));
  return `Additional assets come beside any output. A server links to each in the \`Link\` header of its
answer, to be fetched from GET /assets; the command line writes each beside the output file:
page.png, page.har. What could not be had is named with its reason, in \`X-Missing-Assets\` or on
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
    ['Needs the plugins', requires.length === 0 ? [] : [`  ${requires.join(', ')}`]],
  ];
  const head = `Plugin "${name}" ${version} (${packageName})\n${description === undefined ? '' : `${wrap(description)}\n`}`;
  return `${head}${sections.map(([title, lines]) => (lines.length === 0 ? '' : `\n${title}\n${lines.join('\n')}\n`)).join('')}`;
}

function formatOutput({ type, contentType, extension, endings = [], aliases = [] }: OutputDeclaration): string {
  const also = aliases.length === 0 ? '' : `, also ${aliases.join(', ')}`;
  return `  --output-type ${type}${also}\n${wrap(`${contentType}; files end in ${[extension, ...endings].map((ending) => `.${ending}`).join(', ')}`)}`;
}

function formatAsset({ key, name }: AssetDeclaration): string {
  return `  ${name}, by --${key.replaceAll('_', '-')}`;
}
