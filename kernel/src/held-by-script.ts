import type { Page } from './browser/page/contract.js';
import { withTimeout } from './deadline.js';

/** How long a page with idle scripts may take to respond. It is short because the client is waiting for the error. */
const ANSWER_MS = 300;

/** A page that is about to navigate does not respond either; but only a blocked page responds once its script is terminated. */
export async function isHeldByScript(page: Pick<Page, 'send'>): Promise<boolean> {
  const answer = page.send('Runtime.evaluate', { expression: '0' }, { timeoutMs: 2 * ANSWER_MS }).then(
    () => true,
    () => false,
  );
  if ((await withTimeout(answer, ANSWER_MS)) !== undefined) return false;
  page.send('Runtime.terminateExecution', undefined, { timeoutMs: ANSWER_MS }).catch(() => undefined);
  return answer;
}

/** Ends the scripts and requests of a page that is captured as it is: both can hold its frames back. */
export async function stopPage(page: Pick<Page, 'send'>): Promise<void> {
  await isHeldByScript(page);
  await page.send('Page.stopLoading', undefined, { timeoutMs: ANSWER_MS }).catch(() => undefined);
}
