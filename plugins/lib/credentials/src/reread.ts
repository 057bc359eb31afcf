import type { Logger } from '@platen/kernel';

export interface RereadOptions {
  /** The flag's name without dashes. */
  readonly flag: string;
  /** What it held so far. */
  readonly former: readonly string[];
  readonly log: Pick<Logger, 'warn'>;
}

/**
 * A list of secrets after the configuration was read again. Where there were secrets and now are none the former ones stay: a line
 * lost from a file must not open a server to everybody, a restart may.
 */
export function rereadSecrets(flags: Readonly<Record<string, unknown>>, { flag, former, log }: RereadOptions): readonly string[] {
  const value = flags[flag];
  const secrets = Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  if (secrets.length > 0 || former.length === 0) return secrets;
  log.warn({ flag }, 'the configuration no longer asks for credentials: the former ones stay until a restart');
  return former;
}
