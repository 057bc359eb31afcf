import { isPlatenError, type ProtocolSession } from '@platen/kernel';

/** A page that is busy for longer is taken as it is. */
const ANSWER_MS = 2000;
const MICROSECONDS = 1e6;

/**
 * When the navigation to the document that the page shows began: microseconds of the browser's monotonic clock, as in its traces
 * and CPU profiles. Undefined where the page does not answer.
 */
export async function readPageStart(page: ProtocolSession): Promise<number | undefined> {
  try {
    return await askPage(page);
  } catch (error) {
    // The page is busy, or gone.
    if (isPlatenError(error)) return undefined;
    // A document that is replaced at this moment takes the question with it: the next one is asked.
    return askPage(page).catch(() => undefined);
  }
}

async function askPage(page: ProtocolSession): Promise<number> {
  const bound = { timeoutMs: ANSWER_MS };
  // One after the other: the second command overtakes others, since it is heard in the middle of a script.
  await page.send('Performance.enable', {}, bound);
  const { metrics } = await page.send('Performance.getMetrics', undefined, bound);
  await page.send('Performance.disable', undefined, bound);
  const start = metrics.find(({ name }) => name === 'NavigationStart')?.value;
  if (start === undefined || start <= 0) throw new Error('the page has no navigation start');
  return Math.round(start * MICROSECONDS);
}
