import type { Logger } from '@platen/kernel';
import { nameSource } from '@platen/lib-sources';
import type { Settings } from './policy.js';

/** Tells the log what a reload lets be reached that was refused: a config file that was cut off looks as if somebody had meant it. */
export function warnOfRemovedRules(former: Settings, next: Settings, log: Pick<Logger, 'warn'>): void {
  const text = 'a reload takes protection away: more addresses may be reached';
  if (former.blockPrivate && !next.blockPrivate) log.warn({ flag: 'block-private-ips' }, text);
  const lost = former.lists.filter((source) => !next.lists.includes(source));
  if (lost.length > 0) log.warn({ flag: 'ip-blocklist', sources: lost.map(nameSource) }, text);
  const excepted = next.allowed.filter((range) => !former.allowed.includes(range));
  if (excepted.length > 0) log.warn({ flag: 'allow-ip-range', ranges: excepted }, text);
}
