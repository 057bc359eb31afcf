import { setTimeout as delay } from 'node:timers/promises';
import { invalidParameter, isPlatenError, type Page, untilAborted } from '@platen/kernel';

interface SelectorWait {
  readonly page: Page;
  readonly signal: AbortSignal;
  readonly selector: string;
}

/** Resolves once an element of the main document matches. Throws a 400 for an invalid selector. */
export async function waitForSelector({ page, signal, selector }: SelectorWait): Promise<void> {
  await pollUntil(async () => {
    const seen = await page.evaluate(lookForElement, selector, LOOK_MS);
    if (seen === 'invalid') throw invalidParameter('wait_for', `"wait_for" does not contain a valid CSS selector: ${selector}`);
    return seen === 'found';
  }, signal);
}

/** Runs in the page: checks after every change of the document, and at intervals for matches without a change (`:checked`, `:hover`). */
function lookForElement(selector: string, milliseconds: number): Promise<'found' | 'missing'> | 'found' | 'invalid' {
  const matches = (): boolean => document.querySelector(selector) !== null;
  try {
    if (matches()) return 'found';
  } catch {
    return 'invalid';
  }
  return new Promise((resolve) => {
    const end = (outcome: 'found' | 'missing'): void => {
      observer.disconnect();
      clearInterval(interval);
      clearTimeout(timeout);
      resolve(outcome);
    };
    const look = (): void => {
      if (matches()) end('found');
    };
    const observer = new MutationObserver(look);
    observer.observe(document, { subtree: true, childList: true, attributes: true });
    const interval = setInterval(look, 100);
    const timeout = setTimeout(end, milliseconds, 'missing');
  });
}

/** Duration of one poll in the page. It is below the timeout of a protocol call, so the total wait is not limited by that timeout. */
export const LOOK_MS = 10_000;
/** Maximum pause after a failed poll. */
const MAX_PAUSE_MS = 100;

/**
 * Polls the page, for at most `LOOK_MS` each, until the condition is met. A poll that fails because its document disappeared is repeated in
 * the new document, however often that happens.
 */
export async function pollUntil(look: () => Promise<boolean>, signal: AbortSignal): Promise<void> {
  for (let lost = 0; ;) {
    try {
      if (await untilAborted(look(), signal)) return;
      lost = 0;
    } catch (error) {
      signal.throwIfAborted();
      if (isPlatenError(error) && error.code !== 'page_unstable') throw error;
      await pause(Math.min(++lost * 10, MAX_PAUSE_MS), signal);
    }
  }
}

/** Rejects with the signal's reason if it is aborted meanwhile. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await delay(Math.max(0, milliseconds), undefined, { signal }).catch(() => undefined);
  signal.throwIfAborted();
}
