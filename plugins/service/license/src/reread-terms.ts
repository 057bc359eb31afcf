import { readValidTerms, type LicenseFlags, type Terms } from './terms.js';

export interface RereadTerms {
  readonly terms: Terms | undefined;
  /** The public key is missing: the previous terms stay active, since everything would be unlocked otherwise. */
  readonly isLost: boolean;
}

/**
 * The terms after a reload.
 *
 * @throws PlatenError `boot_invalid_flag` if the license or key is not valid.
 */
export function rereadTerms(flags: LicenseFlags, former: Terms | undefined): RereadTerms {
  const terms = readValidTerms(flags);
  return terms === undefined && former !== undefined ? { terms: former, isLost: true } : { terms, isLost: false };
}
