import type { Dialog, Page } from '@platen/kernel';
import type { Action, DialogFacts } from './action.js';

/** The dialogs of a page and its popups, held until they are answered. */
export class HeldDialogs {
  readonly #held: Dialog[] = [];
  readonly #listeners = new Set<(dialog: Dialog) => void>();
  readonly #stop: () => void;

  constructor(page: Page) {
    this.#stop = page.onDialog((dialog) => {
      this.#held.push(dialog);
      // Its tab may be closed by its opener.
      dialog.target.onEnd(() => {
        this.#remove(dialog);
      });
      for (const listener of [...this.#listeners]) listener(dialog);
    });
  }

  /** The oldest that waits for an answer. */
  get current(): Dialog | undefined {
    return this.#held[0];
  }

  /** Runs for each dialog that opens, until the returned function is called. */
  onOpen(listener: (dialog: Dialog) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async answer({ accept, text }: Pick<Extract<Action, { kind: 'dialog' }>, 'accept' | 'text'>): Promise<void> {
    const dialog = this.current;
    if (dialog === undefined) return;
    this.#remove(dialog);
    await (accept ? dialog.accept(text ?? dialog.defaultPrompt) : dialog.dismiss());
  }

  /** Stops listening, and cancels the dialogs. */
  close(): void {
    this.#stop();
    for (const dialog of this.#held.splice(0)) void dialog.dismiss();
  }

  #remove(dialog: Dialog): void {
    const index = this.#held.indexOf(dialog);
    if (index >= 0) this.#held.splice(index, 1);
  }
}

export function factsOfDialog({ type, message, defaultPrompt }: Dialog): DialogFacts {
  return { type, message, defaultPrompt };
}

/** File choosers are canceled as they open: no user could close them, and files are given to inputs. */
export class FileChoosers {
  readonly #page: Page;
  readonly #stops: (() => void)[] = [];
  #hasOpened = false;
  #isStopped = false;

  constructor(page: Page) {
    this.#page = page;
    page.targets.configure((target) => {
      if (this.#isStopped || !target.hasDocuments) return [];
      this.#stops.push(
        target.on('Page.fileChooserOpened', () => {
          this.#hasOpened = true;
        }),
      );
      return [target.send('Page.setInterceptFileChooserDialog', { enabled: true })];
    });
  }

  /** Since the last `reset`. */
  get hasOpened(): boolean {
    return this.#hasOpened;
  }

  reset(): void {
    this.#hasOpened = false;
  }

  stop(): void {
    this.#isStopped = true;
    for (const stop of this.#stops.splice(0)) stop();
    for (const { hasDocuments, send } of this.#page.targets.all) {
      if (hasDocuments) send('Page.setInterceptFileChooserDialog', { enabled: false }).catch(() => undefined);
    }
  }
}
