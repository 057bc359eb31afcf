import { isPlatenError, untilAborted } from '@platen/kernel';
import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';

/**
 * Opens a page, as a user who enters its URL; returns once its document is committed.
 *
 * @throws ActionError if it cannot be opened.
 */
export async function gotoUrl(text: string, attempt: Attempt): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ActionError('the URL must be an absolute one of http or https');
  const { page, signal } = attempt;
  attempt.begin();
  try {
    await untilAborted(page.goto(url.href), signal);
  } catch (error) {
    // The server does not respond: the page stays as it is.
    if (signal.aborted) await page.send('Page.stopLoading').catch(() => undefined);
    if (!isPlatenError(error) || !error.code.startsWith('target_')) throw error;
    const { net_error: netError = error.message, download = false } = error.details.target ?? {};
    throw new ActionError(download ? 'the URL is a download, not a page' : `the page cannot be opened: ${netError}`);
  }
}

/** Goes back in the history of the tab. @throws ActionError if there is nothing to go back to. */
export async function goBack(attempt: Attempt): Promise<void> {
  const { page } = attempt;
  const { currentIndex, entries } = await attempt.send(page, 'Page.getNavigationHistory');
  const entry = entries[currentIndex - 1];
  // Every tab begins with an empty document.
  if (entry === undefined || (currentIndex === 1 && entry.url === 'about:blank')) throw new ActionError('there is no page to go back to');
  await attempt.input('Page.navigateToHistoryEntry', { entryId: entry.id });
}
