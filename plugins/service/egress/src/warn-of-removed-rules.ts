import type { Logger } from '@platen/kernel';
import { nameSource } from '@platen/lib-sources';
import type { Settings } from './policy.js';

/** Logs rules that a reload removes: a truncated configuration file looks like an intended change. */
export function warnOfRemovedRules(former: Settings, next: Settings, log: Pick<Logger, 'warn'>): void {
  const text = 'the reload removes protection: more addresses can be reached';
  if (former.blockPrivate && !next.blockPrivate) log.warn({ flag: 'block-private-ips' }, text);
  const lost = former.lists.filter((source) => !next.lists.includes(source));
  if (lost.length > 0) log.warn({ flag: 'ip-blocklist', sources: lost.map(nameSource) }, text);
  const excepted = next.allowed.filter((range) => !former.allowed.includes(range));
  if (excepted.length > 0) log.warn({ flag: 'allow-ip-range', ranges: excepted }, text);
}
