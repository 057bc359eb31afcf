import { PlatenError } from '@platen/kernel';

const ENABLE = 'server-enable-prometheus';

/**
 * Refuses flags of /metrics if it is disabled: an operator who protects or moves /metrics expects it to exist.
 *
 * @throws PlatenError `boot_invalid_flag`.
 */
export function rejectOrphanFlags(options: Readonly<Record<string, unknown>>): void {
  if (options[ENABLE] === true) return;
  const given = Object.keys(options).filter((name) => name.startsWith('server-prometheus-') && options[name] !== undefined);
  if (given.length === 0) return;
  const flags = given.map((name) => `--${name}`).join(' and ');
  throw new PlatenError('boot_invalid_flag', `${flags} requires --${ENABLE}`);
}
