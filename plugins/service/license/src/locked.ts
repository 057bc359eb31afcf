import { isDeepStrictEqual } from 'node:util';
import type { Fragment, RenderPlan, ServerApi } from '@platen/kernel';
import type { Tier } from './license.js';
import { allows, type Standing } from './standing.js';

/** Something that is asked for and needs a higher tier. */
export interface Locked {
  /** As it is quoted: `"remove_modals"`, `"output_type" pdf`, `--server-cache`. */
  readonly shown: string;
  readonly tier: Tier;
}

/** The keys and the output type of a render that its server is not licensed for. */
export function lockedParts({ params, output }: RenderPlan, kernel: ServerApi['kernel'], standing: Standing): readonly Locked[] {
  const keys = [...kernel.schema.keys]
    .filter(([key, { tier, fragment }]) => isUsed(params[key], fragment) && !allows(standing, tier, key))
    .map(([key, { tier }]) => ({ shown: `"${key}"`, tier }));
  const owner = kernel.plugins.find(({ definition: { outputs = [] } }) => outputs.some(({ type }) => type === output.type));
  const tier = owner?.definition.tier ?? 'free';
  return allows(standing, tier, output.type) ? keys : [{ shown: `"output_type" ${output.type}`, tier }, ...keys];
}

/** The start-up flags that the server is not licensed for. */
export function lockedFlags({ flags, flagFragments, isGiven }: ServerApi, standing: Standing): readonly Locked[] {
  return Object.entries(flagFragments)
    .filter(([name, fragment]) => isGiven(name) && !isDeepStrictEqual(flags[name], fragment.default ?? NOTHING))
    .map(([name, { 'x-tier': tier = 'free' }]) => ({ name, tier }))
    .filter(({ name, tier }) => !allows(standing, tier, name))
    .map(({ name, tier }) => ({ shown: `--${name}`, tier }));
}

/** `"a" needs the tier pro; "b" needs the tier enterprise`. */
export function describeLocked(locked: readonly Locked[]): string {
  return locked.map(({ shown, tier }) => `${shown} needs the tier ${tier}`).join('; ');
}

/** Equal to no flag's value. */
const NOTHING = Symbol('nothing');

/** A key that says what holds without it asks for nothing. */
function isUsed(value: unknown, { default: fallback }: Fragment): boolean {
  const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return !isEmpty && (fallback === undefined || !isDeepStrictEqual(value, fallback));
}
