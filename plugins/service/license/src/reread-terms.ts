import type { Logger } from '@platen/kernel';
import { LicenseFault } from './license.js';
import { readTerms, type LicenseFlags, type Terms } from './terms.js';

export interface RereadOptions {
  readonly former: Terms;
  readonly log: Pick<Logger, 'info' | 'warn' | 'error'>;
}

/** The terms after the configuration was read again: what is not valid, or would unlock everything, leaves the former ones. */
export function rereadTerms(flags: LicenseFlags, { former, log }: RereadOptions): Terms {
  try {
    const terms = readTerms(flags);
    if (terms !== undefined) return terms;
    log.warn({}, '--license-public-key is no longer given: the former licence stays until a restart');
  } catch (error) {
    if (!(error instanceof LicenseFault)) throw error;
    log.error({}, `${error.message}; the former licence stays`);
  }
  return former;
}
