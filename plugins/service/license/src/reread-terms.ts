import type { Logger } from '@platen/kernel';
import { readValidTerms, type LicenseFlags, type Terms } from './terms.js';

export interface RereadOptions {
  readonly former: Terms | undefined;
  readonly log: Pick<Logger, 'warn'>;
}

/** The terms after the configuration was read again; what would unlock everything leaves the former ones. Throws what is not valid. */
export function rereadTerms(flags: LicenseFlags, { former, log }: RereadOptions): Terms | undefined {
  const terms = readValidTerms(flags);
  if (terms !== undefined || former === undefined) return terms;
  log.warn({}, '--license-public-key is no longer given: the former licence stays until a restart');
  return former;
}
