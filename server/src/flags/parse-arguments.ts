import { parseArgs } from 'node:util';
import { coerceText, type Fragment, type Fragments } from '@platen/schema';
import { isSwitch, SWITCH, type FlagSet } from './flag-set.js';

/** One option of the command line, in order. */
export interface GivenOption {
  /** Without leading dashes. */
  readonly name: string;
  /** Undefined if the option has no value. */
  readonly value: string | undefined;
}

export interface GivenArguments {
  readonly options: readonly GivenOption[];
  readonly positionals: readonly string[];
  /** Positionals that follow an option that did not take them, although it might have been meant to, each with the option's name. */
  readonly misplaced: ReadonlyMap<string, string>;
}

/** Option names of a command line: `switches` have no value, `values` take the next word. */
export interface OptionNames {
  readonly switches: ReadonlySet<string>;
  readonly values: ReadonlySet<string>;
  /** The subset of `values` whose value may be omitted, which means true, each with a test of possible values. */
  readonly optional: ReadonlyMap<string, (text: string) => boolean>;
}

/** The names of flags, and of request keys as flags: `full_page` is `--full-page`. */
export function optionNames(flagSet: FlagSet, keys: Fragments): OptionNames {
  const fragments = new Map([
    ...[...flagSet].map(([name, { fragment }]) => [name, fragment] as const),
    ...Object.entries(keys).map(([key, fragment]) => [key.replaceAll('_', '-'), fragment] as const),
  ]);
  const isAlone = (name: string) => isSwitch(fragments.get(name) ?? {});
  return {
    switches: new Set([...fragments.keys()].filter(isAlone)),
    values: new Set([...fragments.keys()].filter((name) => !isAlone(name))),
    optional: new Map(
      [...fragments]
        .filter(([, fragment]) => mayStandAlone(fragment))
        .map(([name, fragment]) => [name, (text: string) => canBeValue(text, fragment)]),
    ),
  };
}

/** `--with-axtree` is true, as `?with_axtree` is; the next word is its value only if it is a possible one. */
function mayStandAlone({ type }: Fragment): boolean {
  return Array.isArray(type) && type.includes('boolean');
}

/**
 * If any text is a valid value, such as a path, the next word is the value unless it is an option. A word that looks like an object counts
 * as the value too, so that an error is reported for the value.
 */
function canBeValue(text: string, fragment: Fragment): boolean {
  if (typeof coerceText(text, fragment) !== 'string') return true;
  const { type, enum: members } = fragment;
  if (members !== undefined) return members.some((member) => member === text);
  if (!Array.isArray(type)) return false;
  return (type.includes('string') && !text.startsWith('-')) || (type.includes('object') && /^[@{]/.test(text));
}

const SHORT: Readonly<Record<string, string>> = { h: 'help', v: 'version' };

/**
 * Splits a command line into options and positionals. Unknown names are returned too; the caller checks them. `--no-x` is `--x=false` for a
 * switch, `--` ends the options, `-` is a positional.
 */
export function parseArguments(args: readonly string[], { switches, values, optional }: OptionNames): GivenArguments {
  const { tokens } = parseArgs({
    args: spellOut(args, optional),
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries([...values].map((name) => [name, { type: 'string', multiple: true } as const])),
  });
  const options: GivenOption[] = [];
  const positionals: string[] = [];
  const misplaced = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === 'positional') {
      positionals.push(token.value);
      const before = args[token.index - 1]?.slice('--'.length) ?? '';
      if (optional.has(before) || (switches.has(before) && readSwitch(token.value, SWITCH) !== undefined))
        misplaced.set(token.value, before);
    }
    if (token.kind === 'option') options.push(toOption(SHORT[token.name] ?? token.name, token.value, switches));
  }
  return { options, positionals, misplaced };
}

/** Adds `=true` to each option whose value is optional and missing. */
function spellOut(args: readonly string[], optional: OptionNames['optional']): string[] {
  const end = args.includes('--') ? args.indexOf('--') : args.length;
  return args.map((arg, at) => {
    const isValue = at < end && arg.startsWith('--') ? optional.get(arg.slice('--'.length)) : undefined;
    const next = at + 1 < end ? args[at + 1] : undefined;
    return isValue === undefined || (next !== undefined && isValue(next)) ? arg : `${arg}=true`;
  });
}

function toOption(name: string, value: string | undefined, switches: ReadonlySet<string>): GivenOption {
  const positive = name.startsWith('no-') ? name.slice('no-'.length) : '';
  if (!switches.has(name) && switches.has(positive) && value === undefined) return { name: positive, value: 'false' };
  return { name, value };
}

const WORDS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['yes', true],
  ['on', true],
  ['1', true],
  ['false', false],
  ['no', false],
  ['off', false],
  ['0', false],
]);

/**
 * Reads the words that operators use for on and off, in any case, wherever a flag may be set. Undefined if the value is not such a word, or
 * if the flag does not accept a boolean. A flag that also accepts text reads these words as on and off too: a folder of such a name is
 * written `./off`.
 */
export function readSwitch(given: unknown, { type = [] }: Fragment): boolean | undefined {
  const types = [type].flat();
  const word = typeof given === 'string' || typeof given === 'number' ? String(given).toLowerCase() : '';
  const isNumber = /^\d$/.test(word) && types.some((each) => each === 'integer' || each === 'number');
  return types.includes('boolean') && !isNumber ? WORDS.get(word) : undefined;
}
