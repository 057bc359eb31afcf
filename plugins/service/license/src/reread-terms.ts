import { readValidTerms, type LicenseFlags, type Terms } from './terms.js';

export interface RereadTerms {
  readonly terms: Terms | undefined;
  /** The former ones stay, since what is given would unlock everything. */
  readonly isLost: boolean;
}

/** The terms after the configuration was read again. Throws what is not valid. */
export function rereadTerms(flags: LicenseFlags, former: Terms | undefined): RereadTerms {
  const terms = readValidTerms(flags);
  return terms === undefined && former !== undefined ? { terms: former, isLost: true } : { terms, isLost: false };
}
