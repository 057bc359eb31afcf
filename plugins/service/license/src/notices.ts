import type { Logger } from '@platen/kernel';
import type { Terms } from './terms.js';
import { licenseStatusOf } from './license-status.js';

const DAY_MS = 86_400_000;

/** Tells the log how the licence stands, where there are terms to be held by. */
export interface Notices {
  /** Now: at the start, and with another licence. */
  tell(): void;
  /** Now, and once a day from then on where the operator has to do something. */
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
