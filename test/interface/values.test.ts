import { createTestKernel } from '@platen/kernel/testing';
import { coerceQuery, type Fragment, parseQuery } from '@platen/schema';
import { describe, expect, it } from 'vitest';
import { importPlugin, listPlugins } from '../architecture/workspaces.js';

// The values of every parameter that its definition refuses. Values that only the plugin's own code refuses are in the plugin's tests.

const plugins = await Promise.all(listPlugins().map(importPlugin));
const { kernel } = createTestKernel({ plugins });
const URL = 'http://a.test/';

/** A value of each JSON type. */
const SAMPLES: Readonly<Record<string, unknown>> = { boolean: true, number: 1.5, string: 'no such value', array: [1], object: { '': 1 } };

/** The types that a fragment takes; an integer is a number. */
function typesOf({ type = [], enum: values = [], 'x-number': takesNumber, 'x-single': takesItem, items }: Fragment): ReadonlySet<string> {
  const types = [...[type].flat(), ...values.map((value) => typeof value), ...(takesNumber ? ['number'] : [])];
  const single = takesItem && items ? [...typesOf(items)] : [];
  return new Set([...types.map((one) => (one === 'integer' ? 'number' : one)), ...single]);
}

const FORMAT_MAX = { uint: undefined, uint32: 2 ** 32 - 1, uint64: Number.MAX_SAFE_INTEGER } as const;

/** The nearest values that the bounds of a fragment exclude. */
function beyondBounds(fragment: Fragment): readonly unknown[] {
  const { type, format, minimum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, items, enum: values } = fragment;
  const step = type === 'integer' ? 1 : 0.01;
  const least = format === undefined ? minimum : (minimum ?? 0);
  const { maximum = format && FORMAT_MAX[format] } = fragment;
  return [
    ...(least === undefined ? [] : [least - step]),
    ...(maximum === undefined ? [] : [maximum + step]),
    ...[exclusiveMinimum, exclusiveMaximum].filter((bound) => bound !== undefined),
    ...(type === 'integer' ? [(least ?? 0) + 0.5] : []),
    ...(minLength === undefined ? [] : ['x'.repeat(minLength - 1)]),
    ...(maxLength === undefined ? [] : ['x'.repeat(maxLength + 1)]),
    ...(values === undefined ? [] : Object.values(SAMPLES).filter((value) => !values.includes(value as string))),
    ...(type === 'array' && items?.type === 'string' ? [['a', 1]] : []),
  ];
}

function refusedBy(given: object, source: 'body' | 'query'): readonly string[] {
  try {
    kernel.validate(given, source);
  } catch (error) {
    const { details } = error as { details: { errors: readonly { parameter: string; detail: string }[] } };
    for (const { parameter, detail } of details.errors) expect(detail).toContain(`"${parameter}`);
    return details.errors.map(({ parameter }) => parameter);
  }
  return [];
}
const inBody = (key: string, value: unknown) => refusedBy({ url: URL, [key]: value }, 'body');
const inQuery = (query: string) => refusedBy(coerceQuery(parseQuery(`url=${encodeURIComponent(URL)}&${query}`), kernel.schema), 'query');

const fragments = [...kernel.schema.keys].map(([key, { fragment }]) => [key, fragment] as const).filter(([key]) => key !== 'url');

describe.each(fragments)('%s', (key, fragment) => {
  const types = typesOf(fragment);
  const isOpen = types.size === 0;

  it('refuses values of other types, by name', () => {
    for (const [type, value] of Object.entries(SAMPLES))
      if (!isOpen && !types.has(type)) expect(inBody(key, value), JSON.stringify(value)).toEqual([key]);
  });

  it('refuses what is out of its bounds, by name', () => {
    for (const value of beyondBounds(fragment)) expect(inBody(key, value), JSON.stringify(value)).toEqual([key]);
  });

  it('is unset by null, unless its definition forbids that', () => {
    expect(inBody(key, null)).toEqual(fragment.nullable === false ? [key] : []);
    if (fragment.nullable !== false) expect(kernel.validate({ url: URL, [key]: null }, 'body')).toEqual({ url: URL });
  });

  it('is unset by an empty value in a query, unless its definition forbids that', () => {
    const isRefused =
      fragment.nullable === false || fragment['x-refuses-empty'] === true || fragment['x-sources']?.includes('query') === false;
    expect(inQuery(`${key}=`)).toEqual(isRefused ? [key] : []);
  });

  it('refuses in a query the text of no value of it', () => {
    if (isOpen || (types.has('string') && fragment.enum === undefined) || types.has('array')) return;
    for (const text of ['no such value', '1e3', '0x10', 'NaN', 'TRUTH', '2147483648.5']) {
      if (types.has('number') && fragment.type !== 'integer' && text === '2147483648.5') continue;
      expect(inQuery(`${key}=${encodeURIComponent(text)}`), text).toEqual([key]);
    }
  });
});

it.each([
  ['jpeg', 'jpg'],
  ['JPG', 'jpg'],
  ['tif', 'tiff'],
  ['webb', 'webp'],
  ['x-matroska', 'mkv'],
])('says of "output_type=%s" that %s was probably meant', (output_type, meant) => {
  expect(() => kernel.validate({ url: URL, output_type }, 'query')).toThrow(`: did you mean "${meant}"?`);
});

it('the keys and flags above the tier "free" are those of the interface', () => {
  const keys = [...kernel.schema.keys].map(([key, { tier }]) => [key, tier] as const);
  const flags = plugins.flatMap(({ tier: own = 'free', flags: fragmentsOf = {} }) =>
    Object.entries<Fragment>(fragmentsOf).map(([flag, { 'x-tier': tier = own }]) => [flag, tier] as const),
  );
  const names = (wanted: string) => [...keys, ...flags].flatMap(([name, tier]) => (tier === wanted ? [name] : [])).sort();
  expect(names('pro')).toEqual(['remove_modals']);
  expect(names('enterprise')).toEqual([
    ...['server-cache', 'server-cache-size-limit', 'server-cache-ttl', 'server-enable-prometheus', 'server-max-concurrency'],
    ...['server-queue-requests', 'server-signed-url', 'server-signed-url-max-age', 'server-update-adblock-interval'],
    ...['server-update-blocklist-interval', 'skip_robots_txt'],
  ]);
});
