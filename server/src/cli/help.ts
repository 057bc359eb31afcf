import type { OutputDeclaration } from '@platen/kernel';
import { groupKeys, type KeyGroup } from '@platen/schema';
import type { Inventory } from '../boot/boot.js';
import { environmentName, isList, isCliOnly, isSwitch, type Flag, type FlagSet } from '../flags/flag-set.js';
import { COMMANDS, commandsOf } from './commands.js';
import { describeFragment, placeholder, WIDTH, wrap } from './describe-fragment.js';

const EXIT_CODES = `Exit codes of a render
  0  done                                  4  the page was not ready within its timeout
  1  unexpected failure                    5  a host requirement is missing: see platen doctor
  2  wrong flag, key or value              6  the file cannot be written
  3  the target failed or was refused,     130, 143  interrupted, terminated
     or an image differs
`;

const FLAG_NOTE = `Every flag can also be set in the environment and in the config file. Precedence: flag, environment, file.
Lists are given as a,b or by repeating the flag; lists of secrets only by repeating it, and so are lists of the keys of a request, since
these may contain commas. A secret can be given as @FILE; for a list, the file has one secret per line.
`;

/** The subject of the help: the plugins that the command line enables, with their flags and keys. */
export type Available = Pick<Inventory, 'found' | 'loaded' | 'flagSet' | 'keys'>;

/** `platen --help`: an overview on one screen, with references to the details. The program has the name by which the user called it. */
export function formatHelp(available: Available, program: string): string {
  const commands = [...COMMANDS, ...commandsOf(available)];
  const groups = groupsOf(available).map(({ name, flags }) => row(name, flags.join(' ')));
  return `${formatUsage(program)}
Commands
${commands.map(({ name, description }) => row(name, description.replace(/\.(?:\s.*)?$/s, ''))).join('\n')}

Keys of a request, as flags of a render
${groups.join('\n')}

Examples
${formatExamples(available, program)}

More: ${program} help keys | flags | assets | all | NAME (of any of these) | WORDS (of a task)
${available.flagSet.has('server-enable-docs') ? `Guide: /guide/ of a server with --server-enable-docs\n` : ''}`;
}

/** `platen --help all`: the same with every key and flag. */
export function formatFullHelp(available: Available, program: string): string {
  const commands = [...COMMANDS, ...commandsOf(available)].map(
    ({ name, usage, description }) => `  ${`${name} ${usage}`.trim()}\n${wrap(description)}`,
  );
  const groups = groupsOf(available).map(({ title, flags }) => `  ${title}\n${wrap(flags.join(' '))}`);
  return `${formatUsage(program)}
Commands
${commands.join('\n')}

Examples
${formatExamples(available, program)}

${EXIT_CODES}
Keys of a request, as flags of a render; \`platen help keys\` explains them
${groups.join('\n')}

${formatFlags(available.flagSet)}`;
}

function formatUsage(program: string): string {
  return `Platen renders web pages.

Usage: ${program} URL [FILE] [--KEY VALUE]...   render a page in the format of FILE's extension
       ${program} [--server] [FLAGS]            serve HTTP: GET /?url=URL&KEY=VALUE
`;
}

/** A name and its meaning on one line, cut at the screen width. */
export function row(name: string, text: string): string {
  const line = `  ${name.padEnd(12)} ${text}`;
  return line.length <= WIDTH ? line : `${line.slice(0, line.lastIndexOf(' ', WIDTH - 4))} ...`;
}

/** Keys as flags, by section. The URL has its own place, and keys that only a request body can have are omitted. */
function groupsOf({ loaded, keys }: Available): readonly (Pick<KeyGroup, 'title' | 'name'> & { readonly flags: readonly string[] })[] {
  return groupKeys(ownersOf({ loaded, keys }))
    .map(({ title, name, keys: names }) => ({
      title,
      name,
      flags: names
        .filter((key) => key !== 'url' && (keys[key]?.['x-sources']?.includes('flags') ?? true))
        .flatMap((key) => [
          `--${key.replaceAll('_', '-')}`,
          ...(key === 'output_type' ? outputsOf({ loaded }).map(({ type }) => type) : []),
        ]),
    }))
    .filter(({ flags }) => flags.length > 0);
}

/** Every key with the plugin that owns it. */
export function ownersOf({ loaded, keys }: Pick<Available, 'loaded' | 'keys'>): ReadonlyMap<string, string> {
  const owned = loaded.flatMap(({ definition: { name, params = {} } }) => Object.keys(params).map((key) => [key, name] as const));
  return new Map([...Object.keys(keys).map((key) => [key, 'kernel'] as const), ...owned]);
}

function outputsOf({ loaded }: Pick<Available, 'loaded'>): readonly OutputDeclaration[] {
  return loaded.flatMap(({ definition }) => definition.outputs ?? []);
}

/** Features that the available plugins support. */
function formatExamples(available: Available, program: string): string {
  const outputs = outputsOf(available);
  const { extension = 'png' } = outputs.find(({ type }) => type === 'png') ?? outputs[0] ?? {};
  const examples: readonly { readonly words: string; readonly needs: readonly string[] }[] = [
    { words: `https://example.com page.${extension}`, needs: [] },
    { words: 'https://example.com phone.webp --full-page --device "iPhone 15"', needs: ['webp', 'full_page', 'device'] },
    { words: 'https://example.com site.wacz --crawl-links  # a crawl: 1 page a second per host', needs: ['wacz', 'crawl_links'] },
  ];
  const there = new Set([...outputs.map(({ type }) => type), ...Object.keys(available.keys)]);
  return examples
    .filter(({ needs }) => needs.every((name) => there.has(name)))
    .map(({ words }) => `  ${program} ${words}`)
    .join('\n');
}

/** One flag: `platen help server-bind-port`. Undefined if there is no such flag. */
export function formatOneFlag(word: string, { flagSet }: Available): string | undefined {
  const flag = flagSet.get(word.replace(/^--/, '').replaceAll('_', '-'));
  return flag === undefined ? undefined : `${formatFlag(flag)}\n`;
}

/** Every flag, grouped by its owner, with its default and the name of its environment variable. */
export function formatFlags(flags: FlagSet): string {
  const owners = [...new Set([...flags.values()].map(({ owner }) => owner))];
  const groups = owners.map(
    (owner) =>
      `${title(owner)}\n${[...flags.values()]
        .filter((flag) => flag.owner === owner)
        .map(formatFlag)
        .join('\n')}`,
  );
  return `${FLAG_NOTE}\n${groups.join('\n\n')}\n`;
}

function title(owner: string): string {
  const titles: Readonly<Record<string, string>> = { server: 'Server flags', browser: 'Browser flags' };
  return titles[owner] ?? `Flags of the plugin "${owner}"`;
}

/** A flag with its value, its description below. */
export function formatFlag(flag: Flag): string {
  const { name, fragment } = flag;
  const value = isSwitch(fragment) ? '' : ` ${placeholder(fragment)}${isList(fragment) && fragment['x-secret'] !== true ? ',...' : ''}`;
  return `  --${name}${value}\n${describeFragment(fragment, isCliOnly(flag) ? [] : [environmentName(name)])}`;
}
