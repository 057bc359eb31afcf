import type { Fragment } from './fragment.js';

/** Types of a fragment's values; empty: any. */
export function typesOf({ type, enum: values = [], anyOf = [] }: Fragment): readonly string[] {
  if (type === undefined) return [...new Set([...values.map((value) => typeof value), ...anyOf.flatMap(typesOf)])];
  return typeof type === 'string' ? [type] : type;
}

/** Whether the key accepts a list of values. */
export function takesList(fragment: Fragment): boolean {
  const types = typesOf(fragment);
  return types.length === 0 || types.includes('array');
}

/** Whether the key accepts an object as value or item. */
export function takesObjects(fragment: Fragment): boolean {
  const types = typesOf(fragment);
  return types.length === 0 || types.includes('object') || (types.includes('array') && takesObjects(itemOf(fragment)));
}

export function itemOf({ items, anyOf = [] }: Fragment): Fragment {
  return items ?? anyOf.find((branch) => branch.items !== undefined)?.items ?? {};
}

/** Ranges of the interface's integer types. Beyond `Number.MAX_SAFE_INTEGER` JSON parsers disagree about the value. */
export const FORMATS = {
  uint: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
  uint32: { minimum: 0, maximum: 0xffff_ffff },
  uint64: { minimum: 0, maximum: Number.MAX_SAFE_INTEGER },
} as const satisfies Record<NonNullable<Fragment['format']>, { minimum: number; maximum: number }>;
