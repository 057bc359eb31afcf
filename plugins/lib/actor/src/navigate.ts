import { isPlatenError, untilAborted } from '@platen/kernel';
import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';

/** Opens a page; returns once its document is committed. @throws ActionError if it cannot be opened. */
export async function gotoUrl(text: string, attempt: Attempt): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ActionError('the URL must be an absolute one of http or https');
  attempt.begin();
  try {
    await untilAborted(attempt.page.goto(url.href), attempt.signal);
  } catch (error) {
    if (attempt.signal.aborted) void attempt.page.send('Page.stopLoading').catch(() => undefined);
    attempt.signal.throwIfAborted();
    if (!isPlatenError(error) || !error.code.startsWith('target_')) throw error;
    throw new ActionError(`the page cannot be opened: ${error.message}`, { cause: error });
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
