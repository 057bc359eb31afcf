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
        const answer = async (params: { readonly accept: boolean; readonly promptText?: string }): Promise<void> => {
          await target.send('Page.handleJavaScriptDialog', params).catch(() => undefined);
        };
        if (type === 'beforeunload') {
          void answer({ accept: true });
          return;
        }
        const dialog: Dialog = {
          ...{ target, type, message, defaultPrompt },
          accept: (promptText) => answer({ accept: true, ...(promptText === undefined ? {} : { promptText }) }),
          dismiss: () => answer({ accept: false }),
        };
        if (listeners.size === 0) void dialog.dismiss();
        for (const listener of listeners) listener(dialog);
      });
      return [];
    },
    on(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
