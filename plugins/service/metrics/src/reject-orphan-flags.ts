import { PlatenError } from '@platen/kernel';

const ENABLE = 'server-enable-prometheus';

/** Throws `boot_invalid_flag` for flags of /metrics where that is off. Who protects or moves /metrics believes that it is there: a start that leaves it out is a slip that nobody would notice. */
export function rejectOrphanFlags(options: Readonly<Record<string, unknown>>): void {
  if (options[ENABLE] === true) return;
  const given = Object.keys(options).filter((name) => name.startsWith('server-prometheus-') && options[name] !== undefined);
  if (given.length === 0) return;
  const flags = given.map((name) => `--${name}`).join(' and ');
  throw new PlatenError('boot_invalid_flag', `${flags}: there is no /metrics to apply to without --${ENABLE}`);
}
