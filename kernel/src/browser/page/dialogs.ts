import type { TargetInitializer } from '../protocol/contract.js';
import type { Dialog } from './contract.js';

/** The JavaScript dialogs of a tab's page and popups. */
export interface Dialogs {
  readonly configure: TargetInitializer;
  /** See `Page.onDialog`. */
  on(listener: (dialog: Dialog) => void): () => void;
}

/** Without a listener dialogs are canceled, since there is no user to answer them. Leaving a page is always accepted. */
export function createDialogs(): Dialogs {
  const listeners = new Set<(dialog: Dialog) => void>();
  return {
    configure(target) {
      if (target.kind !== 'page') return [];
      target.on('Page.javascriptDialogOpening', ({ type, message, defaultPrompt = '' }) => {
        const answer = async (accept: boolean, text?: string): Promise<void> => {
          const promptText = text === undefined ? {} : { promptText: text };
          // It may have been closed with its page.
          await target.send('Page.handleJavaScriptDialog', { accept, ...promptText }).catch(() => undefined);
        };
        if (type === 'beforeunload' || listeners.size === 0) void answer(type === 'beforeunload');
        else for (const listener of listeners) listener({ target, type, message, defaultPrompt, answer });
      });
      return [];
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
