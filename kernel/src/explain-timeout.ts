import type { Page } from './browser/page/contract.js';
import { withTimeout } from './deadline.js';
import { isPlatenError } from './errors.js';

/** How long a page with idle scripts may take to respond. It is short because the client is waiting for the error. */
const ANSWER_MS = 300;

/** The timeout error of a render. It says if a script blocks the page, since the wait reason is then not the cause. */
export async function explainTimeout(page: Pick<Page, 'send'>, error: unknown): Promise<unknown> {
  if (!isPlatenError(error) || error.code !== 'render_timeout') return error;
  const { phase } = error.details;
  // Before its document is there, a page runs no script.
  if (phase === undefined || phase === 'open' || phase === 'navigate') return error;
  return (await isHeldByScript(page)) ? error.withDetail('a script blocks the page and may not end') : error;
}

/** A page that is about to navigate does not respond either; but only a blocked page responds once its script is terminated. */
async function isHeldByScript(page: Pick<Page, 'send'>): Promise<boolean> {
  const answer = page.send('Runtime.evaluate', { expression: '0' }, { timeoutMs: 2 * ANSWER_MS }).then(
    () => true,
    () => false,
  );
  if ((await withTimeout(answer, ANSWER_MS)) !== undefined) return false;
  page.send('Runtime.terminateExecution', undefined, { timeoutMs: ANSWER_MS }).catch(() => undefined);
  return answer;
}
