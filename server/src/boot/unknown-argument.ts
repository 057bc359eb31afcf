import type { LoadedPlugin } from '@platen/kernel';
import type { Fragment, Fragments } from '@platen/schema';
import { isSwitch, SWITCH } from '../flags/flag-set.js';
import { UsageError } from '../flags/usage-error.js';

interface Keys {
  readonly keys: Fragments;
  readonly loaded: readonly LoadedPlugin[];
}

/** Rejects `--with-storage @state.json`: an object is written as JSON. If a flag reads it from a file, the hint names that flag. */
export function refuseFiles(request: Readonly<Record<string, unknown>>, known: Keys): void {
  for (const [key, value] of Object.entries(request)) {
    if (typeof value !== 'string' || !value.startsWith('@') || !typesOf(known.keys[key] ?? {}).includes('object')) continue;
    const option = key.replaceAll('_', '-');
    const hint = flagForFile(key, known) ?? `\`platen help ${key}\` explains it`;
    throw new UsageError(`--${option} does not accept @FILE; it accepts ${valuesOf(known.keys[key] ?? {})}`, hint);
  }
}

/** The error for unexpected arguments; the preceding option may have been meant to take them. */
export function unknownArgumentError(
  words: readonly string[],
  { misplaced, keys, loaded }: Keys & { readonly misplaced: ReadonlyMap<string, string> },
) {
  const found = words.find((word) => misplaced.has(word));
  const option = found === undefined ? undefined : misplaced.get(found);
  if (found === undefined || option === undefined) return undefined;
  const key = option.replaceAll('-', '_');
  // An option that is not a request key is a flag, and only switches leave a following word unused.
  if (isSwitch(keys[key] ?? SWITCH))
    return new UsageError(`--${option} has no separate value`, `omit "${found}", or write --${option}=${found}`);
  const hint = flagForFile(key, { keys, loaded }) ?? 'only a URL and at most one file are given without a flag';
  return new UsageError(`"${found}" is not a valid value of --${option}, which accepts ${valuesOf(keys[key] ?? {})}`, hint);
}

/** An asset that can also be the input of a render has a flag of its name, which takes the file. */
function flagForFile(key: string, { loaded }: Keys): string | undefined {
  for (const { definition } of loaded) {
    const asset = definition.assets?.find((declared) => declared.key === key);
    if (asset === undefined || !Object.hasOwn(definition.flags ?? {}, asset.name)) continue;
    return `--${asset.name} FILE starts from the content of a file; --${key.replaceAll('_', '-')} also returns the content at the end`;
  }
  return undefined;
}

function valuesOf(fragment: Fragment): string {
  if (fragment.enum !== undefined) return [...new Set(fragment.enum.map(String))].join(', ');
  return typesOf(fragment)
    .map((type) => WORDS[type] ?? type)
    .join(' or ');
}

const WORDS: Readonly<Record<string, string>> = { boolean: 'true, false', object: 'an object, written as JSON' };

function typesOf({ type = [] }: Fragment): readonly string[] {
  return typeof type === 'string' ? [type] : type;
}
