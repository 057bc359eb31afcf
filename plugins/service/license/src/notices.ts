import type { Logger } from '@platen/kernel';
import type { Terms } from './terms.js';
import { standingOf } from './standing.js';

const DAY_MS = 86_400_000;

/** Tells the log how the licence stands: now, and once a day from then on where the operator has to do something. */
export function startNotices(terms: () => Terms, log: Pick<Logger, 'info' | 'warn'>): Disposable {
  const tell = (isStart: boolean) => {
    const { license } = terms();
    const { state, tier, words } = standingOf(license, Date.now());
    const fields = { tier, ...(license === undefined ? {} : { license: license.id, holder: license.holder }) };
    if (state !== 'valid') log.warn(fields, words);
    else if (isStart) log.info(fields, words);
  };
  tell(true);
  const timer = setInterval(tell, DAY_MS, false);
  timer.unref();
  return {
    [Symbol.dispose]() {
      clearInterval(timer);
    },
  };
}
