import type { Fragment } from '@platen/schema';
import { environmentName, isList, isSpoken, isSwitch, type Flag, type FlagSet } from '../flags/flag-set.js';
import type { Inventory } from './boot.js';
import { OWN_COMMANDS } from './own-commands.js';
import { commandsOf } from './plugin-commands.js';
import { describeFragment, placeholder, wrap } from './describe-fragment.js';

const USAGE = `Platen renders web pages.

Usage
  platen URL [FILE] [--KEY VALUE ...]   render one page; the file's ending chooses the format, - is stdout
  platen --server [FLAGS]               serve HTTP
${OWN_COMMANDS.map(({ name, usage, description }) => `  ${`platen ${name} ${usage}`.padEnd(38)}${description}`).join('\n')}
  platen help flags | keys | assets     every start-up flag; every key of a request; what comes beside a render
  platen help NAME                      one flag, key, output type, asset, plugin or command

Examples
  platen https://example.com page.png
  platen https://example.com page.webp --full-page --device-scale-factor 2
  platen https://example.com phone.jpg --device "iPhone 15" --emulate-dark-mode
  platen https://example.com - --output-type png > page.png
  platen --server --server-bind-port 8080
  curl 'http://127.0.0.1:8080/?url=https://example.com' -o page.png

Exit codes of a render
  0  done                                  4  the page was not ready within its timeout
  1  unexpected failure                    5  the host lacks something: see platen doctor
  2  wrong flag, key or value              6  the file cannot be written
  3  the target failed or was refused      130, 143  interrupted, terminated
`;

const FLAG_NOTE = `Every flag may also stand in the environment and in the config file; the flag goes first, then the environment, then the file.
Lists may be given as a,b or by repeating the flag; of secrets by repeating the flag alone, since they may hold commas. A secret may be
given as @FILE, a list of them with a line each.
`;

/** What help is about: the plugins that the command line enables, their flags and keys. */
export type Available = Pick<Inventory, 'found' | 'loaded' | 'flagSet' | 'keys'>;

/** `platen --help`. */
export function formatHelp(available: Available): string {
  const { loaded, flagSet, keys } = available;
  const owned = loaded.map(({ definition: { name, params = {} } }) => [name, Object.keys(params)] as const);
  const taken = owned.flatMap(([, names]) => names);
  const lines = [['kernel', Object.keys(keys).filter((key) => !taken.includes(key))] as const, ...owned]
    .map(([owner, names]) => [owner, names.filter((name) => isForFlags(name, keys[name]))] as const)
    .filter(([, names]) => names.length > 0)
    .map(([owner, names]) => `  ${owner}\n${wrap(names.map((name) => `--${name.replaceAll('_', '-')}`).join(' '))}`);
  return `${USAGE}${formatCommands(available)}\nKeys of a request, by plugin; \`platen help keys\` explains them\n${lines.join('\n')}\n\n${formatFlags(flagSet)}`;
}

function formatCommands(available: Available): string {
  const lines = commandsOf(available).map(
    ({ name, usage, description }) => `  platen ${`${name} ${usage}`.trim()}\n${wrap(description)}\n`,
  );
  return lines.length === 0 ? '' : `\nCommands of plugins\n${lines.join('')}`;
}

/** The URL stands by itself, and some keys are for bodies alone. */
function isForFlags(key: string, fragment: Fragment = {}): boolean {
  return key !== 'url' && (fragment['x-sources']?.includes('flags') ?? true);
}

/** One flag: `platen help server-bind-port`. Undefined where there is none of that name. */
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
  return `  --${name}${value}\n${describeFragment(fragment, isSpoken(flag) ? [] : [environmentName(name)])}`;
}
