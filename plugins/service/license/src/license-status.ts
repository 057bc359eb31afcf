import type { Logger } from '@platen/kernel';
import { formatTime, type License, type Tier, TIERS } from './license.js';
import type { Terms } from './terms.js';

const DAY_MS = 86_400_000;
/** Days for which an expired license is still accepted. */
const GRACE_DAYS = 14;
/** Days before the expiration from which the log warns. */
const NOTICE_DAYS = 30;
/** Tolerance for an issuer's clock that is fast. */
const SKEW_MS = 300_000;

/** The effect of a license at a given time. */
export interface LicenseStatus {
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
export function allows({ tier, features }: Pick<LicenseStatus, 'tier' | 'features'>, needed: Tier, name: string): boolean {
  return TIERS.indexOf(needed) <= TIERS.indexOf(tier) || features.includes(name);
}

/** Logs the license status, if a public key is configured. */
export interface Notices {
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
