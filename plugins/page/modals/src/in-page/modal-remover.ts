import type { Modal, ModalFinder } from './modal-finder.js';
import type { Button, ModalKind, ModalTraits } from './modal-traits.js';
import type { PageLocks } from './page-locks.js';
import type { PageTree } from './page-tree.js';

/** The outcome for one modal. */
export interface Removal {
  readonly kind: ModalKind | 'backdrop';
  readonly by: 'refused' | 'closed' | 'hidden';
  /** The element's tag, id and classes, at most 120 characters. */
  readonly element: string;
  /** The features that identified it. */
  readonly why: readonly string[];
}

export interface RemoverParts {
  readonly tree: PageTree;
  readonly finder: ModalFinder;
  readonly traits: ModalTraits;
  readonly locks: PageLocks;
}

/** Answers, closes and hides the modals that were found. */
export class ModalRemover {
  readonly #tree: PageTree;
  readonly #finder: ModalFinder;
  readonly #traits: ModalTraits;
  readonly #locks: PageLocks;
  readonly #hidden = new Set<HTMLElement>();
  readonly #clicked = new WeakSet<Element>();
  #removals: Removal[] = [];
  #watcher: MutationObserver | undefined;
  #pending: ReturnType<typeof setTimeout> | undefined;
  #guarding = false;
  #changed = 0;
  #sweeps = 0;
  /** Time limit for a click to take effect, in milliseconds. */
  readonly #patience = 400;

  constructor({ tree, finder, traits, locks }: RemoverParts) {
    this.#tree = tree;
    this.#finder = finder;
    this.#traits = traits;
    this.#locks = locks;
  }

  /** Removes the current overlays. Returns all removals since the last call. */
  async sweep({ clicks }: { readonly clicks: boolean }): Promise<readonly Removal[]> {
    const modals = this.#finder.find();
    for (const modal of modals) {
      if (!clicks || !(await this.#click(modal)) || this.#isThere(modal.element)) this.#remove(modal);
    }
    if (modals.length > 0) this.tidy({ wall: modals.some(({ kind }) => kind === 'wall') });
    return this.#removals.splice(0);
  }

  /** Refuses the modal that fills the whole document, in a frame over another page. */
  async answerDocument(): Promise<{ readonly kind: ModalKind | undefined; readonly removals: readonly Removal[] }> {
    const modal = this.#finder.classifyDocument();
    if (modal !== undefined) await this.#click(modal);
    return { kind: modal?.kind, removals: this.#removals.splice(0) };
  }

  /** Removes what modals leave behind: backdrops, scroll locks, blur, and truncation by walls. */
  tidy({ wall }: { readonly wall: boolean }): void {
    const { body } = document;
    for (const element of this.#tree.all(body)) {
      if (element instanceof HTMLElement && this.#traits.isBackdrop(element) && this.#isEmpty(element)) this.#hide(element, 'backdrop');
    }
    this.#locks.unlock();
    if (!wall) return;
    for (const veil of this.#locks.veils()) this.#hide(veil, 'backdrop');
    this.#locks.unfold();
  }

  /** Records the time of every change from now on, for `waitForIdle` and `guard`. */
  watch(): void {
    if (this.#watcher !== undefined) return;
    const changed = () => {
      this.#changed = performance.now();
      if (!this.#guarding) return;
      clearTimeout(this.#pending);
      this.#pending = setTimeout(() => {
        this.#sweepAgain();
      }, 60);
    };
    this.#watcher = new MutationObserver(changed);
    this.#watcher.observe(document, {
      subtree: true,
      childList: true,
      attributes: true,
      attributeFilter: ['class', 'style', 'hidden', 'open', 'aria-hidden', 'aria-modal'],
    });
    for (const event of ['transitionend', 'animationend', 'scrollend', 'toggle'])
      addEventListener(event, changed, { capture: true, passive: true });
    this.#changed = performance.now();
  }

  /** Hides later overlays too, without clicks, for the lifetime of the document. */
  guard(): void {
    this.watch();
    this.#guarding = true;
  }

  /** Resolves when the document has not changed for `quiet`, at the latest after `most`. Milliseconds. */
  waitForIdle({ quiet, most }: { readonly quiet: number; readonly most: number }): Promise<void> {
    const end = performance.now() + most;
    return new Promise((resolve) => {
      const look = (): void => {
        const now = performance.now();
        const wait = Math.min(this.#changed + quiet, end) - now;
        if (wait <= 0) resolve();
        else setTimeout(look, wait);
      };
      look();
    });
  }

  /** Removes hidden elements from the document, including elements hidden by the library's styles. */
  drop(): readonly Removal[] {
    for (const element of this.#hidden) element.remove();
    for (const style of Array.from(document.querySelectorAll<HTMLStyleElement>('style#autoconsent-css-rules, style#autoconsent-prehide'))) {
      this.#dropByStyle(style);
      style.remove();
    }
    return this.#removals.splice(0);
  }

  #dropByStyle({ sheet }: HTMLStyleElement): void {
    for (const rule of Array.from(sheet?.cssRules ?? [])) {
      if (!(rule instanceof CSSStyleRule)) continue;
      for (const element of Array.from(document.querySelectorAll(rule.selectorText))) if (element !== document.body) element.remove();
    }
  }

  #sweepAgain(): void {
    // Stop after several sweeps, since a page may restore its modal forever.
    if (++this.#sweeps > 25) return;
    const modals = this.#finder.find();
    for (const modal of modals) this.#remove(modal);
    if (modals.length > 0) this.tidy({ wall: modals.some(({ kind }) => kind === 'wall') });
  }

  #remove({ element, kind, why }: Modal): void {
    if (element instanceof HTMLElement) this.#hide(element, kind, why);
  }

  /** Clicks a refuse button, otherwise a close button. Returns whether one was found. Never clicks an accept button. */
  async #click({ element, kind, buttons, why }: Modal): Promise<boolean> {
    const button = this.#choose(buttons);
    if (button === undefined || this.#clicked.has(button.element)) return false;
    this.#clicked.add(button.element);
    this.#clickSafely(button.element);
    const end = performance.now() + this.#patience;
    while (this.#isThere(element) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 40));
    this.#removals.push({ kind, by: button.role === 'refuse' ? 'refused' : 'closed', element: this.#describe(element), why });
    return true;
  }

  #choose(buttons: readonly Button[]): Button | undefined {
    return buttons.find(({ role }) => role === 'refuse') ?? buttons.find(({ role }) => role === 'close');
  }

  /** The page's own handlers run, but links are not followed and forms are not submitted. */
  #clickSafely(element: HTMLElement): void {
    const stay = (event: Event): void => {
      const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement);
      const leads = link instanceof HTMLAnchorElement && !/^(?:#|javascript:)/i.test(link.getAttribute('href') ?? '#');
      if (event.type === 'submit' || leads) event.preventDefault();
    };
    addEventListener('click', stay);
    addEventListener('submit', stay);
    try {
      element.click();
    } finally {
      removeEventListener('click', stay);
      removeEventListener('submit', stay);
    }
  }

  #isThere(element: Element): boolean {
    if (!element.isConnected) return false;
    const shown = [element, ...Array.from(element.children)].some((part) => this.#tree.isShown(part) && this.#tree.isInView(part));
    return shown;
  }

  /** Closes dialogs and popovers first: an open modal in the top layer keeps the page inert. */
  #hide(element: HTMLElement, kind: Removal['kind'], why: readonly string[] = []): void {
    if (this.#hidden.has(element) && !this.#tree.isShown(element)) return;
    for (const dialog of [element, ...Array.from(element.querySelectorAll<HTMLElement>('dialog'))]) {
      if (dialog instanceof HTMLDialogElement && dialog.open) dialog.close();
    }
    if (element.matches(':popover-open')) element.hidePopover();
    element.style.setProperty('display', 'none', 'important');
    this.#hidden.add(element);
    this.#removals.push({ kind, by: 'hidden', element: this.#describe(element), why });
  }

  #isEmpty(element: HTMLElement): boolean {
    return this.#tree.text(element) === '' && element.querySelector('img, video, canvas, iframe, svg, input') === null;
  }

  #describe({ localName, id, className }: Element): string {
    const classes = typeof className === 'string' ? className.trim().replace(/\s+/g, '.') : '';
    return `${localName}${id === '' ? '' : `#${id}`}${classes === '' ? '' : `.${classes}`}`.slice(0, 120);
  }
}
