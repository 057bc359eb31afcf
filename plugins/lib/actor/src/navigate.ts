import { type Page, untilAborted, withTimeout } from '@platen/kernel';
import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';

/** Milliseconds by which the page may report a document later than the browser. */
const COMMIT_MS = 500;

/**
 * Opens a page, as a user who enters its URL; returns once its document is committed.
 *
 * @throws ActionError if it cannot be opened.
 */
export async function gotoUrl(text: string, attempt: Attempt): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ActionError('the URL must be an absolute one of http or https');
  const { page } = attempt;
  const commit = watchCommits(page);
  try {
    const { errorText, isDownload, loaderId } = await untilAborted(attempt.input('Page.navigate', { url: url.href }), attempt.signal);
    if (isDownload === true) throw new ActionError('the URL is a download, not a page');
    if (errorText !== undefined) throw new ActionError(`the page cannot be opened: ${errorText}`);
    // Without a loader it was a jump within the document.
    if (loaderId !== undefined) await withTimeout(commit.of(loaderId), COMMIT_MS);
  } catch (error) {
    // The server does not respond: the page stays as it is.
    if (!(error instanceof ActionError) || attempt.signal.aborted) await page.send('Page.stopLoading').catch(() => undefined);
    throw error;
  } finally {
    commit.stop();
  }
}

/** The documents that a page commits from now on. */
function watchCommits(page: Page): { of(loaderId: string): Promise<void>; stop(): void } {
  const seen = new Set<string>();
  let onCommit = (): void => undefined;
  const stop = page.on('Page.frameNavigated', ({ frame }) => {
    seen.add(frame.loaderId);
    onCommit();
  });
  return {
    of: (loaderId) =>
      new Promise((resolve) => {
        onCommit = () => {
          if (seen.has(loaderId)) resolve();
        };
        onCommit();
      }),
    stop,
  };
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
