import { formatTime, TIERS, type License, type Tier } from './license.js';

const DAY_MS = 86_400_000;
/** Days that an expired licence is still honoured. */
const GRACE_DAYS = 14;
/** Days ahead of its end from which the log warns of it. */
const NOTICE_DAYS = 30;
/** An issuer's clock may go before ours. */
const SKEW_MS = 300_000;

/** What a licence is worth at a moment. */
export interface LicenseStatus {
  readonly state: 'none' | 'early' | 'valid' | 'ending' | 'grace' | 'expired';
  readonly tier: Tier;
  /** Names that are allowed beyond the tier. */
  readonly features: readonly string[];
  /** The state in words, for the operator. */
  readonly words: string;
}

/** Without a licence, before its time and after its grace period the tier is free. */
export function licenseStatusOf(license: License | undefined, now: number): LicenseStatus {
  if (license === undefined) return { state: 'none', tier: 'free', features: [], words: 'no licence is given' };
  const { tier, features, issued, expires } = license;
  const end = expires + GRACE_DAYS * DAY_MS;
  if (now < issued - SKEW_MS) {
    return { state: 'early', tier: 'free', features: [], words: `the licence is not valid before ${formatTime(issued)}` };
  }
  if (now >= end) return { state: 'expired', tier: 'free', features: [], words: `the licence expired on ${formatTime(expires)}` };
  if (now >= expires) {
    return {
      state: 'grace',
      tier,
      features,
      words: `the licence expired on ${formatTime(expires)} and is honoured until ${formatTime(end)}`,
    };
  }
  const isEnding = now >= expires - NOTICE_DAYS * DAY_MS;
  return { state: isEnding ? 'ending' : 'valid', tier, features, words: `the licence is valid until ${formatTime(expires)}` };
}

/** Whether something of the tier, and of the name, may be used. */
export function allows({ tier, features }: Pick<LicenseStatus, 'tier' | 'features'>, needed: Tier, name: string): boolean {
  return TIERS.indexOf(needed) <= TIERS.indexOf(tier) || features.includes(name);
}
