import type { Logger } from '@platen/kernel';
import type { Terms } from './terms.js';
import { licenseStatusOf } from './license-status.js';

const DAY_MS = 86_400_000;

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
