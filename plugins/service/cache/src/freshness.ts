import type { ResultRecord } from '@platen/server';

/** A result from the future is expired: a clock that was set back must not extend lifetimes. */
const CLOCK_SLACK_MS = 60_000;

/** Whether a result of that time has not expired. */
export function isFresh({ storedAt }: Pick<ResultRecord, 'storedAt'>, ttlMs: number, now = Date.now()): boolean {
  return now - storedAt < ttlMs && storedAt - now < CLOCK_SLACK_MS;
}
