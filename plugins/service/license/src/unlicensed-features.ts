import { isDeepStrictEqual } from 'node:util';
import type { Fragment, RenderPlan, ServerApi } from '@platen/kernel';
import type { FlagValues } from '@platen/server';
import type { Tier } from './license.js';
import { allows, licenseStatusOf, type LicenseStatus } from './license-status.js';
import type { Terms } from './terms.js';

/** A requested feature that requires a higher tier. */
export interface UnlicensedFeature {
  /** As shown in messages: `"remove_modals"`, `"output_type" pdf`, `--server-cache`. */
  readonly shown: string;
  readonly tier: Tier;
}

/** The active terms; undefined: nothing is locked. */
type Held = Terms | undefined;

/** The parameters and output type of a render that the license does not include. */
export function findUnlicensedParts(
  { params, output }: RenderPlan,
  kernel: ServerApi['kernel'],
  terms: Held,
): readonly UnlicensedFeature[] {
  if (terms === undefined) return [];
  const status = licenseStatusNow(terms);
  const keys = [...kernel.schema.keys]
    .filter(([key, { tier, fragment }]) => isUsed(params[key], fragment) && !allows(status, tier, key))
    .map(([key, { tier }]) => ({ shown: `"${key}"`, tier }));
  const owner = kernel.plugins.find(({ definition: { outputs = [] } }) => outputs.some(({ type }) => type === output.type));
  const tier = owner?.definition.tier ?? 'free';
  return allows(status, tier, output.type) ? keys : [{ shown: `"output_type" ${output.type}`, tier }, ...keys];
}

/** The active startup flags that the license does not include. */
export function findUnlicensedFlags({ flags, flagFragments, isGiven }: ServerApi, terms: Held): readonly UnlicensedFeature[] {
  const used = Object.entries(flagFragments).filter(
    ([name, { default: fallback = NOTHING }]) => isGiven(name) && !isDeepStrictEqual(flags[name], fallback),
  );
  return beyond(used, terms);
}

/** Unlicensed flags that a reload would add. */
export function addedFlags({ flagFragments, isGiven }: ServerApi, { flags, terms }: Reread): readonly UnlicensedFeature[] {
  const added = Object.entries(flagFragments).filter(
    ([name, { 'x-reloads': reloads, default: fallback }]) =>
      reloads === true && flags[name] !== undefined && !isDeepStrictEqual(flags[name], fallback) && !isGiven(name),
  );
  return beyond(added, terms);
}

interface Reread {
  readonly flags: FlagValues;
  readonly terms: Held;
}

function beyond(flags: readonly (readonly [string, Fragment])[], terms: Held): readonly UnlicensedFeature[] {
  if (terms === undefined) return [];
  const status = licenseStatusNow(terms);
  return flags
    .map(([name, { 'x-tier': tier = 'free' }]) => ({ name, tier }))
    .filter(({ name, tier }) => !allows(status, tier, name))
    .map(({ name, tier }) => ({ shown: `--${name}`, tier }));
}

export function tierOf(terms: Held): Tier | undefined {
  return terms && licenseStatusNow(terms).tier;
}

function licenseStatusNow({ license }: Terms): LicenseStatus {
  return licenseStatusOf(license, Date.now());
}

/** `"a" requires the tier pro; "b" requires the tier enterprise`. */
export function describeUnlicensed(locked: readonly UnlicensedFeature[]): string {
  return locked.map(({ shown, tier }) => `${shown} requires the tier ${tier}`).join('; ');
}

/** The same with the license status. */
export function describeUnlicensedWithStatus(locked: readonly UnlicensedFeature[], terms: Held): string {
  return `${describeUnlicensed(locked)}: ${terms === undefined ? '' : licenseStatusNow(terms).words}`;
}

/** Not equal to any flag value. */
const NOTHING = Symbol('nothing');

/** A parameter at its default does not count as used. */
function isUsed(value: unknown, { default: fallback }: Fragment): boolean {
  const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return !isEmpty && (fallback === undefined || !isDeepStrictEqual(value, fallback));
}
