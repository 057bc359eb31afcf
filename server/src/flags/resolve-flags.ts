import { describeReadError, readTextFile } from '@platen/kernel';
import { coerceText, createFlagValidator, ValidationError, type Fragment, type Fragments } from '@platen/schema';
import { UsageError } from './usage-error.js';
import { environmentName, isList, isCliOnly, isSwitch, type Flag, type FlagSet } from './flag-set.js';
import { type GivenOption, readSwitch } from './parse-arguments.js';

/** The sources of flags; the first source that sets a flag takes precedence. */
export interface FlagSources {
  readonly options: readonly GivenOption[];
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The object of the config file. */
  readonly file: Readonly<Record<string, unknown>>;
  /** The line of each name in the config file, if known. */
  readonly lines?: ReadonlyMap<string, number>;
  /** The flags were read before: secrets must then come from regular files. */
  readonly again?: boolean;
}

/** The source of a flag's value. */
export type Origin = 'flag' | 'environment' | 'file' | 'default';

type FlagValues = Readonly<Record<string, unknown>>;

/** The flags' values by name. Precedence: command line, environment, config file, default. */
export async function resolveFlags(flagSet: FlagSet, sources: FlagSources): Promise<FlagValues> {
  const given = await Promise.all([...flagSet.values()].map(async (flag) => [flag.name, await valueOf(flag, sources)] as const));
  const values = given.filter(([, value]) => value !== undefined);
  const defaults = [...flagSet.values()]
    .filter(({ fragment }) => fragment.default !== undefined)
    .map(({ name, fragment }) => [name, fragment.default] as const);
  return Object.freeze({ ...Object.fromEntries(defaults), ...validate(flagSet, Object.fromEntries(values), sources) });
}

/** The source of a flag's value: undefined if no source sets it. */
export function originOf(flag: Flag, { options, environment, file }: FlagSources): Origin | undefined {
  const { name, fragment } = flag;
  if (options.some((option) => option.name === name)) return 'flag';
  if (!isCliOnly(flag) && (environment[environmentName(name)] ?? '') !== '') return 'environment';
  // Null means unset, except for a secret: a forgotten value must not leave an endpoint open that the operator meant to protect.
  const stated = fragment['x-secret'] === true ? file[name] : (file[name] ?? undefined);
  if (!isCliOnly(flag) && stated !== undefined) return 'file';
  return fragment.default === undefined ? undefined : 'default';
}

/** `"server-bind-port" in the config file, line 3`. */
export function inConfig(name: string, { lines }: Pick<FlagSources, 'lines'>): string {
  const line = lines?.get(name);
  return `"${name}" in the config file${line === undefined ? '' : `, line ${line}`}`;
}

type Given =
  | { readonly origin: 'flag'; readonly options: readonly GivenOption[] }
  | { readonly origin: 'environment'; readonly text: string }
  | { readonly origin: 'file'; readonly value: unknown };

/** The value in the source that `originOf` names; undefined if no source sets the flag. */
function givenOf(flag: Flag, sources: FlagSources): Given | undefined {
  const { name } = flag;
  const origin = originOf(flag, sources);
  switch (origin) {
    case 'flag':
      return { origin, options: sources.options.filter((option) => option.name === name) };
    case 'environment':
      return { origin, text: sources.environment[environmentName(name)] ?? '' };
    case 'file':
      return { origin, value: sources.file[name] };
    default:
      return undefined;
  }
}

async function valueOf(flag: Flag, sources: FlagSources): Promise<unknown> {
  const { name, fragment } = flag;
  const given = givenOf(flag, sources);
  if (given === undefined) return undefined;
  if (given.origin === 'flag') return await toValue(flag, textsOf(given.options, fragment), sources);
  if (given.origin === 'environment') return await toValue(flag, [given.text], sources);
  const { value } = given;
  if (fragment['x-secret'] !== true) return readSwitch(value, fragment) ?? value;
  if (value === null) throw new UsageError(`${inConfig(name, sources)} is empty`, 'omit it if no secret is wanted');
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return await toValue(flag, value, sources);
  return typeof value === 'string' ? await toValue(flag, [value], sources) : value;
}

/** The files that secrets are read from: `@path`. */
export function secretFiles(flagSet: FlagSet, sources: FlagSources): readonly string[] {
  const secret = [...flagSet.values()].filter(({ fragment }) => fragment['x-secret'] === true);
  const texts = secret.flatMap((flag): readonly unknown[] => {
    const given = givenOf(flag, sources);
    if (given?.origin === 'flag') return given.options.map(({ value }) => value);
    return given?.origin === 'environment' ? [given.text] : [given?.value].flat();
  });
  return texts.filter((text) => typeof text === 'string').flatMap((text) => (isPath(text) ? [text.slice(1)] : []));
}

function textsOf(options: readonly GivenOption[], fragment: Fragment): readonly string[] {
  if (options.length > 1 && !isList(fragment)) throw new UsageError(`--${options[0]?.name ?? ''} is given twice`);
  return options.map(({ name, value }) => {
    if (value !== undefined) return value;
    if (isSwitch(fragment)) return 'true';
    throw new UsageError(`--${name} needs a value`, `\`platen help flags\` lists the valid values`);
  });
}

type Reading = Pick<FlagSources, 'again'>;

async function toValue({ name, fragment }: Flag, texts: readonly string[], reading: Reading = {}): Promise<unknown> {
  if (fragment['x-secret'] === true) {
    const read = await Promise.all(texts.map((text) => readSecrets(text, fragment, reading)));
    // An empty variable or file must not leave an endpoint open that the secret was meant to protect.
    if (read.some(({ length }) => length === 0)) throw new UsageError(`--${name} is empty`, 'omit it if no secret is wanted');
    return isList(fragment) ? read.flat() : toScalar(read[0]?.[0] ?? '', fragment);
  }
  if (!isList(fragment)) return toScalar(texts[0] ?? '', fragment);
  return texts.flatMap((item) => (item.trimStart().startsWith('[') ? coerceText(item, fragment) : splitList(item, fragment)));
}

function splitList(text: string, { items = {} }: Fragment): readonly unknown[] {
  return text.split(',').map((item) => toScalar(item.trim(), items));
}

/**
 * Reads the non-blank secrets of a text. A list has one secret per line, since secrets may contain commas. A file may have comment lines
 * that begin with #; a secret that is given directly may begin with # itself.
 */
async function readSecrets(text: string, fragment: Fragment, reading: Reading): Promise<readonly string[]> {
  const read = await readSecret(text, reading);
  const parts = isList(fragment) ? read.split(/\r?\n/) : [read];
  const hasRemarks = isList(fragment) && isPath(text);
  return parts.filter((part) => part.trim() !== '' && !(hasRemarks && part.startsWith('#')));
}

/** `@path` */
function isPath(text: string): boolean {
  return text.startsWith('@');
}

/** An empty value unsets a flag only if its fragment allows empty text: an operator's mistake must not go unnoticed. */
function toScalar(text: string, fragment: Fragment): unknown {
  return text === '' && (fragment.minLength ?? 0) > 0 ? text : (readSwitch(text, fragment) ?? coerceText(text, fragment));
}

/**
 * Returns the request's parameters. The value of a parameter may be a file if it is declared so (`x-at-file`), or if it has the name of a secret
 * flag: on the command line of a single capture, the parameter and the flag cannot be distinguished.
 */
export async function readFileKeys(
  request: Readonly<Record<string, unknown>>,
  { flagSet, keys }: { readonly flagSet: FlagSet; readonly keys: Fragments },
): Promise<Readonly<Record<string, unknown>>> {
  const entries = Object.entries(request).map(async ([key, value]) => {
    const fragment = keys[key];
    if (fragment?.['x-at-file'] === true) return [key, await readFileKey(key, value, fragment)] as const;
    const flag = flagSet.get(key.replaceAll('_', '-'));
    if (flag?.fragment['x-secret'] !== true) return [key, value] as const;
    const texts = [value].flat();
    return [key, texts.every((text) => typeof text === 'string') ? await toValue(flag, texts) : value] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

/** The text of the file, or its value if it is JSON. */
async function readFileKey(key: string, value: unknown, fragment: Fragment): Promise<unknown> {
  const option = `--${key.replaceAll('_', '-')}`;
  const [given, ...others] = [value].flat();
  const isText = fragment.type === 'string' && fragment['x-secret'] !== true;
  // A style sheet may begin with `@media`.
  if (typeof given !== 'string' || !(isText ? /^@[^\s{};"'(<]+$/ : /^@/).test(given) || others.length > 0) {
    if (fragment['x-secret'] !== true) return value;
    throw new UsageError(`${option} takes a file: ${option} @FILE`, 'every user of this host can see the arguments of a program');
  }
  if (isText) return await readGiven(option, given.slice(1));
  const text = await readSecret(given, {});
  if (fragment.type === 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new UsageError(`${option}: ${given.slice(1)} is not JSON: ${error instanceof Error ? error.message : ''}`);
  }
}

async function readGiven(option: string, path: string): Promise<string> {
  return await readTextFile(path, {}).catch((error: unknown) => {
    throw new UsageError(`${option}: cannot read ${path}: ${describeReadError(error)}`);
  });
}

/**
 * `@path` reads a file's content without its last line break and without leading comment lines: every user of the host can see a secret on
 * a command line.
 */
async function readSecret(text: string, { again = false }: Reading): Promise<string> {
  if (!isPath(text)) return text;
  const path = text.slice(1);
  const content = await readTextFile(path, { regular: again }).catch((error: unknown) => {
    throw new UsageError(`cannot read the secret file ${path}: ${describeReadError(error)}`);
  });
  return content.replace(/\r?\n$/, '').replace(/^(?:#[^\n]*\n)+(?=[^#])/, '');
}

function validate(flagSet: FlagSet, values: FlagValues, sources: FlagSources): FlagValues {
  try {
    return createFlagValidator(Object.fromEntries([...flagSet].map(([name, { fragment }]) => [name, fragment])))(values);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    throw new UsageError(
      error.issues.map((issue) => explain(issue, flagSet) + sourceOf(issue.parameter, flagSet, sources)).join('; '),
      '`platen help flags` lists the valid values',
    );
  }
}

/** Describes the source of an invalid value, and the value, if it is not on the command line: the user does not see it there. */
function sourceOf(name: string, flagSet: FlagSet, sources: FlagSources): string {
  const flag = flagSet.get(name);
  const origin = flag === undefined ? undefined : originOf(flag, sources);
  if (origin !== 'environment' && origin !== 'file') return '';
  const isVariable = origin === 'environment';
  const value = isVariable ? sources.environment[environmentName(name)] : sources.file[name];
  const where = isVariable ? `the environment variable ${environmentName(name)}` : inConfig(name, sources);
  return ` (${where}${flag?.fragment['x-secret'] === true ? '' : ` is ${JSON.stringify(value).slice(0, 100)}`})`;
}

/** The schema quotes the flag as a key; this is its form on the command line. */
function explain({ parameter, detail }: ValidationError['issues'][number], flagSet: FlagSet): string {
  const { 'x-secret': isSecret, 'x-expects': expects }: Fragment = flagSet.get(parameter)?.fragment ?? {};
  if (isSecret !== true) return detail.replace(`"${parameter}"`, `--${parameter}`);
  return `--${parameter} is not valid${expects === undefined ? '' : `: it must be ${expects}`}`;
}
