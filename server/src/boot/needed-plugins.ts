import { CORE_PARAMS, type DiscoveredPlugin } from '@platen/kernel';
import { BASE_FLAGS } from '../flags/flag-set.js';
import type { ConfigFile } from '../flags/read-config.js';

interface Given {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly config: ConfigFile;
}

/** File extensions of documents: in a word with one of them, the last part is not a top-level domain. */
export const DOCUMENT = /\.(?:x?html?|svg|xml|md|txt|pdf|png|jpe?g)$/i;

const DEFAULT_TYPE = CORE_PARAMS.output_type.default;

/** A log is asked for by those who want to see everything. */
const BASE_NAMES: ReadonlySet<string> = new Set([...BASE_FLAGS.keys()].filter((name) => name !== 'log-level'));

const CORE_NAMES: ReadonlySet<string> = new Set(Object.keys(CORE_PARAMS).map(toOption));

/**
 * The names of the plugins that one render on the command line may need, by their package.json alone: loading all of them takes longer than
 * the render. Owners of the given keys, flags and output types, and those that act unasked; not what they require. Undefined: all, because
 * the command line does not begin with a URL, has a name that no plugin owns or a secret from a pipe, or a plugin is not Platen's own.
 */
export function neededPlugins(enabled: readonly DiscoveredPlugin[], given: Given): readonly string[] | undefined {
  const [first = '--help'] = given.args;
  if (/^-./.test(first) || given.args.some((arg) => /@\/(?:dev|proc)\//.test(arg)) || enabled.some(({ isOwn }) => isOwn !== true))
    return undefined;
  const names = givenNames(given).filter((name) => !BASE_NAMES.has(name) && !CORE_NAMES.has(name));
  const words = given.args.slice(1).flatMap(wordsOf);
  const owners = new Map(enabled.flatMap((plugin) => [...plugin.flags, ...plugin.keys.map(toOption)].map((name) => [name, plugin])));
  const asked = [...names, ...(mayBeFile(first) ? ['upload'] : [])].map((name) => owners.get(name));
  const isNamed = ({ outputs, endings = [] }: DiscoveredPlugin) => words.some((word) => outputs.includes(word) || endings.includes(word));
  if (asked.includes(undefined) || enabled.some((plugin) => plugin.needsAll === true && (asked.includes(plugin) || isNamed(plugin))))
    return undefined;
  const making = enabled.filter(
    ({ outputs, endings = [] }) => outputs.includes(DEFAULT_TYPE) || words.some((word) => isFor(word, [...outputs, ...endings])),
  );
  const isSet = (name: string) => [name, name.toLowerCase()].some((each) => (given.environment[each] ?? '') !== '');
  const acting = enabled.filter(({ actsUnasked = false }) => (typeof actsUnasked === 'boolean' ? actsUnasked : actsUnasked.some(isSet)));
  const needed = new Set([...acting, ...asked, ...making]);
  return [...needed].flatMap((plugin) => plugin?.name ?? []);
}

/** Files and standard input are the value of a key. */
function mayBeFile(word: string): boolean {
  return word === '-' || /^[./~]/.test(word) || (DOCUMENT.test(word) && !/^[a-z]+:/i.test(word));
}

/** Options of the command line, and flags that the environment and the config file set. */
function givenNames({ args, environment, config }: Given): readonly string[] {
  const options = args.filter((arg) => /^-./.test(arg)).map((arg) => arg.replace(/^--?(?:no-)?/, '').replace(/=.*/s, ''));
  const variables = Object.keys(environment).filter((name) => name.startsWith('PLATEN_') && environment[name] !== '');
  return [...options, ...variables.map((name) => toOption(name.slice('PLATEN_'.length))), ...Object.keys(config.values)];
}

function toOption(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

/** A word that may be an output type or a file name: itself, and what follows each dot. */
function wordsOf(arg: string): readonly string[] {
  const text = arg.replace(/^--?[\w-]+=/, '').toLowerCase();
  const parts = text.split('.');
  return parts.map((_, at) => parts.slice(at).join('.')).filter((word) => word !== '');
}

/** The last parts of an extension in several parts select its type, too. */
function isFor(word: string, types: readonly string[]): boolean {
  return types.some((type) => `.${type}`.endsWith(`.${word}`));
}
