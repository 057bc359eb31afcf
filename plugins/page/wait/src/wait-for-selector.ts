import { invalidParameter, type Page } from '@platen/kernel';
import { LOOK_MS, pollUntil } from './poll-until.js';

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
