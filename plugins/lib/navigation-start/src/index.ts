/**
 * Reads the start time of a page's current document, including server redirects, on the monotonic clock of the browser that traces and CPU
 * profiles use.
 *
 * @packageDocumentation
 */

import { isPlatenError, type ProtocolSession } from '@platen/kernel';

/** A page that is busy for longer is treated as unavailable. */
const ANSWER_MS = 2000;
const MICROSECONDS = 1e6;

/**
 * Start of the navigation to the current document: microseconds of the browser's monotonic clock, as in its traces and CPU profiles.
 * Undefined if the page does not respond.
 */
export async function readPageStart(page: ProtocolSession): Promise<number | undefined> {
  try {
    return await askPage(page);
  } catch (error) {
    // The page is busy, or closed.
    if (isPlatenError(error)) return undefined;
    // A document that is replaced now never answers the query: the next document is queried.
    return askPage(page).catch(() => undefined);
  }
}

async function askPage(page: ProtocolSession): Promise<number> {
  const bound = { timeoutMs: ANSWER_MS };
  // Sequential: the second command overtakes others, because it is processed even while a script runs.
  await page.send('Performance.enable', {}, bound);
  const { metrics } = await page.send('Performance.getMetrics', undefined, bound);
  await page.send('Performance.disable', undefined, bound);
  const start = metrics.find(({ name }) => name === 'NavigationStart')?.value;
  if (start === undefined || start <= 0) throw new Error('the page has no navigation start');
  return Math.round(start * MICROSECONDS);
}
