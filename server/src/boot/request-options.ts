import { coerceText, type Fragment, type Fragments } from '@platen/schema';
import { isList, isSwitch } from '../flags/flag-set.js';
import type { GivenOption } from '../flags/parse-arguments.js';
import { UsageError } from '../flags/usage-error.js';

export interface SplitOptions {
  /** Raw request parameters; validated like any others. */
  readonly request: Readonly<Record<string, unknown>>;
  /** Options that are not request keys: startup flags, known or not. */
  readonly options: readonly GivenOption[];
}

/** Extracts the request keys from a command line's options: `--full-page` is `full_page`, a repeated flag makes a list. */
export function readRequest(options: readonly GivenOption[], keys: Fragments): SplitOptions {
  const keyOf = ({ name }: GivenOption) => name.replaceAll('-', '_');
  const isKey = (option: GivenOption) => !option.name.includes('_') && Object.hasOwn(keys, keyOf(option));
  const names = [...new Set(options.filter(isKey).map(keyOf))];
  const request = Object.fromEntries(
    names.map((key) => [
      key,
      toRaw(
        key,
        keys[key] ?? {},
        options.filter((option) => isKey(option) && keyOf(option) === key),
      ),
    ]),
  );
  return { request, options: options.filter((option) => !isKey(option)) };
}

function toRaw(key: string, fragment: Fragment, options: readonly GivenOption[]): unknown {
  const flag = `--${key.replaceAll('_', '-')}`;
  if (key === 'url') throw new UsageError('--url is not a flag', 'give the URL without a flag: platen URL [FILE]');
  const texts = options.map(({ value }) => {
    if (value !== undefined) return value;
    if (isSwitch(fragment)) return 'true';
    throw new UsageError(`${flag} needs a value`, `\`platen help ${key}\` lists the valid values`);
  });
  const [text = ''] = texts;
  if (!isList(fragment)) {
    if (texts.length > 1) throw new UsageError(`${flag} is given twice`);
    return coerceText(text, fragment);
  }
  // Cookies and headers may contain commas: only a repeated flag or JSON makes a list.
  const values = texts.map((item) => coerceText(item, fragment));
  return values.length === 1 ? values[0] : values.flat();
}
