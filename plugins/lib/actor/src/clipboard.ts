import type { Attempt } from './attempt.js';
import { openFocused, type PageElement } from './element.js';
import { type Copied, pasteCopied, readCopied, watchClipboard } from './in-page/index.js';
import { clipboardUse, type KeyCombination, pressKey } from './keyboard.js';

/**
 * The clipboard of one render. The browser's own is shared by all renders, so keys never paste it (`pressKey`): what the page copies is
 * noted here, and pasted by script into documents of the same origin.
 */
export class Clipboard {
  #copied: Copied | undefined;

  /** Notes what the element's document copies while the action is carried out. */
  async watch(element: PageElement, act: () => Promise<void>): Promise<void> {
    await element.call(watchClipboard);
    await act();
    // The action may have replaced the document: then it has copied nothing that could be read.
    this.#copied = (await element.call(readCopied).catch(() => undefined)) ?? this.#copied;
  }

  /** Presses a key, and does what it does with the clipboard. */
  async press(combination: KeyCombination, attempt: Attempt): Promise<void> {
    const use = clipboardUse(combination);
    const focused = use === undefined ? undefined : await openFocused(attempt);
    if (focused === undefined) return pressKey(combination, attempt);
    await this.watch(focused, () => pressKey(combination, attempt));
    const copied = this.#copied;
    // The page may have moved the focus when it got the key.
    if (use === 'paste' && copied !== undefined) await (await openFocused(attempt))?.call(pasteCopied, copied);
  }
}
