import type { Page } from '@platen/kernel';

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
