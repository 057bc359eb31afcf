import { isDeepStrictEqual } from 'node:util';
import type { Fragment, RenderPlan, ServerApi } from '@platen/kernel';
import type { FlagValues } from '@platen/server';
import type { Tier } from './license.js';
import { allows, standingOf, type Standing } from './standing.js';
import type { Terms } from './terms.js';

/** Something that is asked for and needs a higher tier. */
export interface Locked {
  /** As it is quoted: `"remove_modals"`, `"output_type" pdf`, `--server-cache`. */
  readonly shown: string;
  readonly tier: Tier;
}

/** By what a server is held now; undefined: nothing is locked. */
type Held = Terms | undefined;

/** The keys and the output type of a render that its server is not licensed for. */
export function lockedParts({ params, output }: RenderPlan, kernel: ServerApi['kernel'], terms: Held): readonly Locked[] {
  if (terms === undefined) return [];
  const standing = standingNow(terms);
  const keys = [...kernel.schema.keys]
    .filter(([key, { tier, fragment }]) => isUsed(params[key], fragment) && !allows(standing, tier, key))
    .map(([key, { tier }]) => ({ shown: `"${key}"`, tier }));
  const owner = kernel.plugins.find(({ definition: { outputs = [] } }) => outputs.some(({ type }) => type === output.type));
  const tier = owner?.definition.tier ?? 'free';
  return allows(standing, tier, output.type) ? keys : [{ shown: `"output_type" ${output.type}`, tier }, ...keys];
}

/** The start-up flags in force that the server is not licensed for. */
export function lockedFlags({ flags, flagFragments, isGiven }: ServerApi, terms: Held): readonly Locked[] {
  const used = Object.entries(flagFragments).filter(
    ([name, { default: fallback = NOTHING }]) => isGiven(name) && !isDeepStrictEqual(flags[name], fallback),
  );
  return beyond(used, terms);
}

/** Those that a reload would put in force where they were not given. */
export function addedFlags({ flagFragments, isGiven }: ServerApi, { flags, terms }: Reread): readonly Locked[] {
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

function beyond(flags: readonly (readonly [string, Fragment])[], terms: Held): readonly Locked[] {
  if (terms === undefined) return [];
  const standing = standingNow(terms);
  return flags
    .map(([name, { 'x-tier': tier = 'free' }]) => ({ name, tier }))
    .filter(({ name, tier }) => !allows(standing, tier, name))
    .map(({ name, tier }) => ({ shown: `--${name}`, tier }));
}

export function tierOf(terms: Held): Tier | undefined {
  return terms && standingNow(terms).tier;
}

function standingNow({ license }: Terms): Standing {
  return standingOf(license, Date.now());
}

/** `"a" needs the tier pro; "b" needs the tier enterprise`. */
export function describeLocked(locked: readonly Locked[]): string {
  return locked.map(({ shown, tier }) => `${shown} needs the tier ${tier}`).join('; ');
}

/** The same with how the licence stands. */
export function describeBeyond(locked: readonly Locked[], terms: Held): string {
  return `${describeLocked(locked)}: ${terms === undefined ? '' : standingNow(terms).words}`;
}

/** Equal to no flag's value. */
const NOTHING = Symbol('nothing');

/** A key that says what holds without it asks for nothing. */
function isUsed(value: unknown, { default: fallback }: Fragment): boolean {
  const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return !isEmpty && (fallback === undefined || !isDeepStrictEqual(value, fallback));
}
