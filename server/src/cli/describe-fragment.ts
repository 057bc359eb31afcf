import type { Fragment } from '@platen/schema';

export const WIDTH = 100;
const INDENT = '      ';

/** A value's placeholder in a usage line: `<integer>`, `common|gfm`. */
export function placeholder({ type, enum: values, items }: Fragment): string {
  // For the user, a word and the value that it means are the same.
  const words = new Set(values?.map(String));
  if (words.size > 0 && words.size <= 6) return [...words].join('|');
  if (type === 'array') return `<${String(items?.type ?? 'value')}>`;
  return `<${Array.isArray(type) ? type.join('|') : String(type ?? 'value')}>`;
}

/** The description with bounds, default and tier, wrapped and indented. */
export function describeFragment(fragment: Fragment, more: readonly string[] = []): string {
  const { description = '', default: fallback, enum: values = [], examples = [], 'x-tier': tier } = fragment;
  const facts = [
    ...(values.length > 6 ? [`one of ${values.join(', ')}`] : []),
    ...boundsOf(fragment),
    ...(fallback === undefined || fallback === false ? [] : [`default ${inline(fallback)}`]),
    ...(examples.length === 0 ? [] : [`for example ${examples.map(inline).join(', ')}`]),
    ...(tier === undefined || tier === 'free' ? [] : [`tier ${tier}`]),
    ...more,
  ];
  return wrap(facts.length === 0 ? description : `${description} (${facts.join('; ')})`);
}

/** Values and their meanings, in as many columns as fit the width, ordered by row. */
export function formatValues(values: Readonly<Record<string, string>>): string {
  const named = Object.entries(values);
  const longest = Math.max(...named.map(([name]) => name.length));
  const items = named.map(([name, note]) => `${name.padEnd(longest)}  ${note}`);
  const width = Math.max(...items.map(({ length }) => length)) + 2;
  const columns = Math.max(1, Math.floor((WIDTH - INDENT.length) / width));
  const rows = Array.from({ length: Math.ceil(items.length / columns) }, (_, row) => items.slice(row * columns, (row + 1) * columns));
  return rows.map((row) => `${INDENT}${row.map((item) => item.padEnd(width)).join('')}`.trimEnd()).join('\n');
}

function boundsOf({ minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Fragment): readonly string[] {
  const from =
    minimum === undefined ? (exclusiveMinimum === undefined ? '' : `more than ${String(exclusiveMinimum)}`) : `at least ${String(minimum)}`;
  const to =
    maximum === undefined ? (exclusiveMaximum === undefined ? '' : `less than ${String(exclusiveMaximum)}`) : `at most ${String(maximum)}`;
  // All numbers in the interface are unsigned: a minimum of 0 adds no information.
  const bounds = [from === 'at least 0' ? '' : from, to].filter((bound) => bound !== '');
  return bounds.length === 0 ? [] : [bounds.join(', ')];
}

function inline(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Breaks a text into lines of at most 100 characters, indented. */
export function wrap(text: string, indent = INDENT): string {
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(/\s+/)) {
    if (line.length + word.length > WIDTH && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = indent;
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}
