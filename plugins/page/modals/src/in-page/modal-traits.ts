import type { ButtonRole, ModalWords } from './modal-words.js';
import type { PageTree } from './page-tree.js';

export interface Button {
  readonly element: HTMLElement;
  readonly role: ButtonRole;
}

/** Something that lies over the page, or is looked at as if it did. */
export interface Candidate {
  readonly element: Element;
  readonly layer: NonNullable<ReturnType<PageTree['layer']>> | 'flow';
  readonly text: string;
  readonly buttons: readonly Button[];
  /** Its part of all that the page says, 0 to 1. */
  readonly share: number;
}

/** Runs in the page: closes over nothing. What kind of thing lies over the page, apart from consent and walls. */
export class ModalTraits {
  readonly #tree: PageTree;
  readonly #words: ModalWords;

  constructor(tree: PageTree, words: ModalWords) {
    this.#tree = tree;
    this.#words = words;
  }

  /** Something that asks the visitor for a favour, and can be sent away. */
  isPromotion(candidate: Candidate): boolean {
    const { element, layer, buttons } = candidate;
    const links = buttons.filter(({ element: button }) => button.matches('a[href]')).length;
    if (links > 8 || layer === 'sticky' || this.#isTool(element)) return false;
    const covers = layer === 'fixed' && this.#tree.cover(element) >= 0.9;
    const stands =
      covers || layer === 'top' || layer === 'dialog' || element.querySelector('[role="dialog"]') !== null || this.#dims(element);
    const mail = this.mailFields(element) === 1;
    if (this.#says('promotion', candidate) && !this.#words.isAbout('chat', candidate.text)) {
      const goes =
        buttons.some(({ role }) => role === 'refuse') || (this.#canGo(buttons) && (stands || mail || this.#leadsToStore(element)));
      return goes || (stands && this.#tree.cover(element) > 0.2);
    }
    // Without a word that is known: a field for an address, or a picture that leads away, and a way out.
    if (this.#canGo(buttons) && this.#leadsToStore(element)) return true;
    return this.#canGo(buttons) && ((mail && !this.#words.isAbout('chat', candidate.text)) || (stands && this.#isPictureLink(element)));
  }

  /** What is said by pictures counts where little is said by words. */
  #says(topic: 'wall' | 'promotion', { element, text }: Candidate): boolean {
    const pictures = text.length < 200 ? Array.from(element.querySelectorAll('img'), ({ alt }) => alt) : [];
    return [text, ...pictures].some((part) => this.#words.isAbout(topic, part));
  }

  mailFields(element: Element): number {
    const fields = this.#tree.all(element).filter((inner): inner is HTMLInputElement => inner instanceof HTMLInputElement);
    if (fields.some(({ type }) => type === 'password')) return 0;
    return fields.filter(({ type, name, placeholder }) => type === 'email' || /mail|correo|メール/i.test(`${name} ${placeholder}`)).length;
  }

  #leadsToStore(element: Element): boolean {
    return (
      element.querySelector(
        'a[href*="apps.apple.com"], a[href*="itunes.apple.com"], a[href*="play.google.com"], a[href*="app.link"], a[href*="onelink.me"]',
      ) !== null
    );
  }

  #isPictureLink(element: Element): boolean {
    return Array.from(element.querySelectorAll('a[href] img')).some((image) => {
      const { width, height } = image.getBoundingClientRect();
      return width > 160 && height > 120;
    });
  }

  /** Something to work with: filters, baskets, settings, panels at the side. */
  #isTool(element: Element): boolean {
    if (element.querySelector('video, audio, canvas, article, main, [role="main"]') !== null) return true;
    const fields = element.querySelectorAll('input:not([type="hidden"], [type="button"], [type="submit"]), select, textarea').length;
    const boxes = element.querySelectorAll('input[type="checkbox"], input[type="radio"]').length;
    if (boxes > 1 || fields > 4 || element.querySelector('select, textarea, input[type="number"], input[type="range"]') !== null)
      return true;
    const { width, height, left, right } = element.getBoundingClientRect();
    const atSide = (left <= 1 || right >= innerWidth - 1) && height >= innerHeight * 0.95 && width < innerWidth * 0.6;
    return atSide && element.querySelector('input[type="email"]') === null;
  }

  /** A dialog that nobody asked for: short, without anything to fill in or to look at, over a page that says much more. */
  isIdle({ element, layer, text, share, buttons }: Candidate): boolean {
    if (!this.#canGo(buttons)) return false;
    if (text.length > 600 || text.length < 10 || share > 0.34 || this.#isTool(element)) return false;
    if (!(
      layer === 'top' ||
      element.matches('[aria-modal="true"]') ||
      element.querySelector('[aria-modal="true"]') !== null ||
      this.#dims(element)
    )) {
      return false;
    }
    if (
      element.querySelector(
        'input:not([type="checkbox"], [type="hidden"], [type="button"], [type="submit"]), textarea, select, canvas, video, h1',
      ) !== null
    )
      return false;
    if (element.matches(':target') || element.querySelector(':target') !== null) return false;
    const { width, height } = element.getBoundingClientRect();
    const area = Math.max(1, Math.min(width * height, innerWidth * innerHeight));
    return !Array.from(element.querySelectorAll('img, picture, iframe, svg, embed, object')).some((media) => {
      const box = media.getBoundingClientRect();
      return box.width * box.height > area * 0.2 || (box.width > 160 && box.height > 160);
    });
  }

  /** Whether it, or what lies beside or around it, darkens the whole page. */
  #dims(element: Element): boolean {
    const parent = this.#tree.parent(element);
    const around = [element, ...Array.from(element.children), ...(parent === null ? [] : [parent, ...Array.from(parent.children)])];
    return around.some((other) => this.isBackdrop(other));
  }

  /** Covers the viewport, and lets the page shine through. */
  isBackdrop(element: Element): boolean {
    if (this.#tree.cover(element) < 0.9 || !this.#tree.isShown(element)) return false;
    const { position, backgroundColor, backdropFilter, opacity } = getComputedStyle(element);
    if (position !== 'fixed' && position !== 'absolute') return false;
    const parts = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(backgroundColor);
    const own = Number(parts?.[1] ?? parts?.[2] ?? 1);
    const alpha = own * Number(opacity);
    return (alpha >= 0.1 && alpha < 0.98) || (backdropFilter !== 'none' && backdropFilter !== '');
  }

  #canGo(buttons: readonly Button[]): boolean {
    return buttons.some(({ role }) => role === 'refuse' || role === 'close');
  }
}
