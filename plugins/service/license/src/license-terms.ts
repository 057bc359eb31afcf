import { isDeepStrictEqual } from 'node:util';
import { type Fragment, type Logger, PlatenError, type RenderPlan, type ServerApi } from '@platen/kernel';
import type { FlagValues } from '@platen/server';
import { formatTime, type License, LicenseFault, parsePublicKey, type Tier, TIERS, verifyToken } from './license.js';

/** Values of the plugin's flags. */
export interface LicenseFlags {
  readonly 'license-key'?: unknown;
  readonly 'license-public-key'?: unknown;
}

/** The license terms of a server; without a license the lowest tier. */
export interface Terms {
  readonly license?: License;
}

/**
 * Reads the terms of a server. Undefined without a public key: nothing is locked.
 *
 * @throws PlatenError `boot_invalid_flag` if the license or key is not valid.
 */
export function readTerms({ 'license-key': token, 'license-public-key': key }: LicenseFlags): Terms | undefined {
  if (typeof key !== 'string') return undefined;
  const publicKey = readFlag('license-public-key', () => parsePublicKey(key));
  return typeof token === 'string' ? { license: readFlag('license-key', () => verifyToken(token, publicKey)) } : {};
}

function readFlag<T>(flag: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof LicenseFault)) throw error;
    throw new PlatenError('boot_invalid_flag', `--${flag} is not valid: ${error.message}`, { cause: error });
  }
}

const DAY_MS = 86_400_000;
/** Days for which an expired license is still accepted. */
const GRACE_DAYS = 14;
/** Days before the expiration from which the log warns. */
const NOTICE_DAYS = 30;
/** Tolerance for an issuer's clock that is fast. */
const SKEW_MS = 300_000;

/** The effect of a license at a given time. */
interface LicenseStatus {
  readonly state: 'none' | 'early' | 'valid' | 'ending' | 'grace' | 'expired';
  readonly tier: Tier;
  /** Names allowed beyond the tier. */
  readonly features: readonly string[];
  /** The state as a message for the operator. */
  readonly words: string;
}

/** The tier is free without a license, before it is valid and after its grace period. */
export function licenseStatusOf(license: License | undefined, now: number): LicenseStatus {
  if (license === undefined) return { state: 'none', tier: 'free', features: [], words: 'no license is given' };
  const { tier, features, issued, expires } = license;
  const end = expires + GRACE_DAYS * DAY_MS;
  if (now < issued - SKEW_MS) {
    return { state: 'early', tier: 'free', features: [], words: `the license is not valid before ${formatTime(issued)}` };
  }
  if (now >= end) return { state: 'expired', tier: 'free', features: [], words: `the license expired on ${formatTime(expires)}` };
  if (now >= expires) {
    return {
      state: 'grace',
      tier,
      features,
      words: `the license expired on ${formatTime(expires)} and is accepted until ${formatTime(end)}`,
    };
  }
  const isEnding = now >= expires - NOTICE_DAYS * DAY_MS;
  return { state: isEnding ? 'ending' : 'valid', tier, features, words: `the license is valid until ${formatTime(expires)}` };
}

/** Whether a name of the given tier may be used. */
function allows({ tier, features }: Pick<LicenseStatus, 'tier' | 'features'>, needed: Tier, name: string): boolean {
  return TIERS.indexOf(needed) <= TIERS.indexOf(tier) || features.includes(name);
}

/** Logs the license status, if a public key is configured. */
interface Notices {
  /** Logs now: at startup and after a license change. */
  tell(): void;
  /** Logs now, and then daily while the operator has to act. */
  start(): void;
  stop(): void;
}

export function createNotices(terms: () => Terms | undefined, log: Pick<Logger, 'info' | 'warn'>): Notices {
  const tell = (isNew: boolean) => {
    const present = terms();
    if (present === undefined) return;
    const { license } = present;
    const { state, tier, words } = licenseStatusOf(license, Date.now());
    const fields = { tier, ...(license === undefined ? {} : { license: license.id, holder: license.holder }) };
    if (state !== 'valid') log.warn(fields, words);
    else if (isNew) log.info(fields, words);
  };
  let timer: NodeJS.Timeout | undefined;
  return {
    tell() {
      tell(true);
    },
    start() {
      tell(true);
      timer = setInterval(tell, DAY_MS, false).unref();
    },
    stop() {
      clearInterval(timer);
    },
  };
}

/** A requested feature that requires a higher tier. */
interface UnlicensedFeature {
  /** As shown in messages: `"remove_modals"`, `"output_type" pdf`, `--server-cache`. */
  readonly shown: string;
  readonly tier: Tier;
}

/** The active terms; undefined: nothing is locked. */
type Held = Terms | undefined;

/** The parameters and output type of a render that the license does not include. */
export function findUnlicensedParts(
  { params, output, assets }: RenderPlan,
  kernel: ServerApi['kernel'],
  terms: Held,
): readonly UnlicensedFeature[] {
  if (terms === undefined) return [];
  const status = licenseStatusNow(terms);
  const keys = [...kernel.schema.keys]
    .filter(([key, { tier, fragment }]) => isUsed(params[key], fragment) && !allows(status, tier, key))
    .map(([key, { tier }]) => ({ shown: `"${key}"`, tier }));
  const made = [
    { key: 'output_type', output },
    ...assets.flatMap(({ key, further }) => (further === undefined ? [] : [{ key, ...further }])),
  ];
  const outputs = made.map(({ key, output: { type } }) => ({ shown: `"${key}" ${type}`, type, tier: tierOfOutput(type, kernel) }));
  return [...outputs.filter(({ type, tier }) => !allows(status, tier, type)), ...keys];
}

function tierOfOutput(type: string, { plugins }: ServerApi['kernel']): Tier {
  const owner = plugins.find(({ definition: { outputs = [] } }) => outputs.some((output) => output.type === type));
  return owner?.definition.tier ?? 'free';
}

/** Not equal to any flag value. */
const NOTHING = Symbol('nothing');

/** The active startup flags that the license does not include. */
export function findUnlicensedFlags({ flags, flagFragments, isGiven }: ServerApi, terms: Held): readonly UnlicensedFeature[] {
  const used = Object.entries(flagFragments).filter(
    ([name, { default: fallback = NOTHING }]) => isGiven(name) && !isDeepStrictEqual(flags[name], fallback),
  );
  return beyond(used, terms);
}

/** Unlicensed flags that a reload would add. */
export function addedFlags(
  { flagFragments, isGiven }: ServerApi,
  { flags, terms }: { readonly flags: FlagValues; readonly terms: Held },
): readonly UnlicensedFeature[] {
  const added = Object.entries(flagFragments).filter(
    ([name, { 'x-reloads': reloads, default: fallback }]) =>
      reloads === true && flags[name] !== undefined && !isDeepStrictEqual(flags[name], fallback) && !isGiven(name),
  );
  return beyond(added, terms);
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

/** A parameter at its default does not count as used. */
function isUsed(value: unknown, { default: fallback }: Fragment): boolean {
  const isEmpty = value === undefined || value === false || (Array.isArray(value) && value.length === 0);
  return !isEmpty && (fallback === undefined || !isDeepStrictEqual(value, fallback));
}
