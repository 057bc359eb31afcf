import type { ButtonRole, ModalWords } from './modal-words.js';
import type { PageTree } from './page-tree.js';

export type ModalKind = 'consent' | 'wall' | 'promotion' | 'dialog';

export interface Button {
  readonly element: HTMLElement;
  readonly role: ButtonRole;
}

/** An overlay, or an element that is checked like one. */
export interface Candidate {
  readonly element: Element;
  readonly layer: NonNullable<ReturnType<PageTree['layer']>> | 'flow';
  readonly text: string;
  readonly buttons: readonly Button[];
  /** Links with an `href`. */
  readonly links: readonly HTMLAnchorElement[];
  /** Its share of the page's text, 0 to 1. */
  readonly share: number;
  /** The kind of modal found in a frame inside it. */
  readonly frame?: ModalKind | undefined;
  /** It follows truncated text. */
  readonly behindCut?: boolean;
}

/** Detects structural properties of elements. */
export class ModalTraits {
  readonly #tree: PageTree;
  readonly #words: ModalWords;
  /** Names used by consent managers, and common names in custom notices. */
  readonly #consentNames =
    /onetrust|\bot-sdk|cybot|cookiebot|didomi|qc-cmp|usercentrics|uc-(?:banner|overlay|wall)|truste|trustarc|\bsp_message|\bklaro\b|cmplz|borlabs|brlbs|\bcky-|iubenda-cs|termly|osano|axeptio|tarteaucitron|fc-consent|evidon|moove_gdpr|\bcmp[-_ ]?(?:box|banner|wrapper|container|ui|root|modal|dialog)|(?:cookie|consent|gdpr|rgpd|dsgvo|lgpd|privacy)s?[-_ ]?(?:\w*[-_ ])?(?:banner|bar|box|notice|notification|consent|popup|modal|dialog|overlay|container|layer|law|info|footer|alert|message|wall|melding|hinweis|$)/i;
  readonly #chatNames =
    /\bchat|[-_]chat|messenger|intercom|zendesk|zopim|\bcrisp|tawk|jivo|drift-|tidio|hubspot-messages|freshchat|livechat|whatsapp|\bbot-|-bot\b/i;
  readonly #furniture =
    'nav, main, [role="navigation"], [role="search"], [role="toolbar"], [role="menubar"], [role="menu"], [role="listbox"], [role="tooltip"]';

  constructor(tree: PageTree, words: ModalWords) {
    this.#tree = tree;
    this.#words = words;
  }

  /** Whether its id, class, label or frame URL names it a consent notice. */
  isNamedConsent(element: Element): boolean {
    const parent = this.#tree.parent(element);
    const above = parent === document.body || parent === null ? [] : [parent];
    return [element, ...above, ...Array.from(element.children), ...Array.from(element.querySelectorAll('iframe'))].some((part) =>
      this.#consentNames.test(this.#namesOf(part)),
    );
  }

  isChat(element: Element, text: string): boolean {
    if (this.#words.isAbout('chat', text)) return true;
    const parts = [element, ...Array.from(element.children), ...Array.from(element.querySelectorAll('iframe'))];
    return parts.some((part) => this.#chatNames.test(this.#namesOf(part)) || this.#words.isAbout('chat', this.#namesOf(part)));
  }

  #namesOf(element: Element): string {
    const { id, className } = element;
    const names = ['aria-label', 'title', 'name', 'src', 'data-testid'].map((name) => element.getAttribute(name) ?? '');
    return [id, typeof className === 'string' ? className : '', ...names.map((name) => name.slice(0, 200))].join(' ');
  }

  mailFields(element: Element): number {
    const fields = this.#tree.all(element).filter((inner): inner is HTMLInputElement => inner instanceof HTMLInputElement);
    if (fields.some(({ type }) => type === 'password')) return 0;
    return fields.filter(
      ({ type, name, placeholder, autocomplete, inputMode }) =>
        type === 'email' ||
        autocomplete === 'email' ||
        inputMode === 'email' ||
        (type !== 'hidden' && /mail|@|correo|posta|メール|이메일|邮箱|почт|пошт|البريد/iu.test(`${name} ${placeholder}`)),
    ).length;
  }

  /** Number of visible text fields other than for an address. */
  textFields(element: Element): number {
    const fields = this.#tree.all(element).filter((inner): inner is HTMLInputElement => inner instanceof HTMLInputElement);
    return (
      fields.filter((field) => /^(?:text|search|tel|number)$/.test(field.type) && this.#tree.isShown(field)).length -
      this.mailFields(element)
    );
  }

  /** Checkboxes, one of which is checked and disabled: the mandatory purpose beside the optional ones. */
  hasPurposes(element: Element): boolean {
    const boxes = this.#tree
      .all(element)
      .filter((inner): inner is HTMLInputElement => inner instanceof HTMLInputElement && inner.type === 'checkbox');
    return boxes.length > 1 && boxes.length < 12 && boxes.some(({ checked, disabled }) => checked && disabled);
  }

  /** A rating scale, from 0 to 10. */
  hasScale(buttons: readonly Button[]): boolean {
    const marks = buttons.map(({ element }) => Number.parseInt(this.#tree.label(element), 10)).filter((mark) => mark >= 0 && mark <= 10);
    return marks.length >= 5 && marks.length <= 11 && marks.every((mark, index) => index === 0 || mark === (marks[index - 1] ?? 0) + 1);
  }

  /** The highest z-index of the element and its ancestors. */
  depth(element: Element): number {
    let depth = 0;
    for (let at: Element | null = element; at !== null; at = this.#tree.parent(at)) {
      const own = Number(getComputedStyle(at).zIndex);
      if (own > depth) depth = own;
    }
    return depth;
  }

  leadsToStore(element: Element): boolean {
    return this.#tree
      .all(element)
      .some((link) =>
        /apps\.apple\.com|itunes\.apple\.com|play\.google\.com|app\.link|onelink\.me|adj\.st|appgallery\.huawei/.test(
          link.localName === 'a' ? (link.getAttribute('href') ?? '') : '',
        ),
      );
  }

  isImageLink(element: Element): boolean {
    return Array.from(element.querySelectorAll('a[href] img')).some((image) => {
      const { width, height } = image.getBoundingClientRect();
      return width > 160 && height > 120;
    });
  }

  /** Ordinary page controls: header, navigation, toolbars, menus. */
  isFurniture(element: Element): boolean {
    if (element.matches(this.#furniture) && !element.matches('[aria-modal="true"]')) return true;
    return element.querySelector('nav, [role="navigation"], [role="search"], [role="main"], main') !== null;
  }

  /**
   * An interactive tool: filters, shopping cart, settings, side panel. Donation forms, which offer amounts or countries to choose from, are
   * not tools.
   */
  isTool(element: Element, { asksFavour }: { readonly asksFavour: boolean }): boolean {
    const inner = this.#tree.all(element);
    const count = (selector: string) => inner.filter((part) => part.matches(selector)).length;
    const boxes = count('input[type="checkbox"]') + (asksFavour ? 0 : count('input[type="radio"]'));
    const selects = count('select');
    const fields = count('input:not([type="hidden"], [type="button"], [type="submit"])');
    if (boxes > 1 || selects > (asksFavour ? 2 : 0) || fields > (asksFavour ? 8 : 4)) return true;
    if (count('textarea, input[type="number"], input[type="range"], input[type="search"]') > 0) return true;
    const { width, height, left, right } = element.getBoundingClientRect();
    const atSide = (left <= 1 || right >= innerWidth - 1) && height >= innerHeight * 0.95 && width < innerWidth * 0.6;
    return atSide && (this.mailFields(element) !== 1 || count('a[href]') > 2);
  }

  /** An unrequested dialog: short, with neither fields nor media, over a page with much more text. */
  isIdle({ element, text, share, buttons }: Candidate): boolean {
    if (text.length > 600 || text.length < 10 || share > 0.34 || buttons.length > 6) return false;
    const works =
      'input:not([type="checkbox"], [type="hidden"], [type="button"], [type="submit"]), textarea, select, canvas, video, h1, figure, table, form[method="post"]';
    if (element.querySelector(works) !== null) return false;
    if (element.matches(':target') || element.querySelector(':target') !== null) return false;
    const { width, height } = element.getBoundingClientRect();
    const area = Math.max(1, Math.min(width * height, innerWidth * innerHeight));
    return !Array.from(element.querySelectorAll('img, picture, iframe, svg, embed, object')).some((media) => {
      const box = media.getBoundingClientRect();
      return box.width * box.height > area * 0.2 || (box.width > 160 && box.height > 160);
    });
  }

  /** Whether the page has a visible heading, main content, image or canvas outside of the element. */
  hasPageBehind(element: Element): boolean {
    return Array.from(document.querySelectorAll('h1, main, article, [role="main"], img, canvas')).some(
      (part) =>
        !this.#tree.contains(element, part) &&
        !this.#tree.contains(part, element) &&
        this.#tree.isShown(part) &&
        (!/^(?:img|canvas)$/.test(part.localName) || this.#tree.cover(part) > 0.1),
    );
  }

  /** A card in a lower corner, or a strip at the top or bottom. */
  isAtEdge(element: Element): boolean {
    const { left, right, top, bottom, height } = element.getBoundingClientRect();
    if (this.#tree.cover(element) >= 0.3 || height >= innerHeight * 0.75) return false;
    const [atLeft, atRight] = [left < 40, right > innerWidth - 40];
    return bottom > innerHeight - 40 ? atLeft || atRight : top < 30 && atLeft && atRight;
  }

  /** The background is not translucent. */
  isOpaque(element: Element): boolean {
    const { backgroundColor, opacity } = getComputedStyle(element);
    return Number(opacity) > 0.98 && !/^rgba\(|\/\s*[\d.]+\)$/.test(backgroundColor);
  }

  /** Whether the element, its parent, a child or a sibling darkens the whole page. */
  dims(element: Element): boolean {
    if (element.matches(':modal')) return true;
    const parent = this.#tree.parent(element);
    const near = [
      element,
      ...Array.from(element.children),
      ...(parent === null || parent === document.documentElement ? [] : [parent, ...this.#siblings(element, parent)]),
    ];
    return near.some((other) => this.isBackdrop(other));
  }

  #siblings(element: Element, parent: Element): readonly Element[] {
    const root = element.getRootNode();
    return Array.from(root instanceof ShadowRoot && root.host === parent ? root.children : parent.children);
  }

  /** A translucent element that covers the viewport. */
  isBackdrop(element: Element): boolean {
    if (this.#tree.cover(element) < 0.9 || !this.#tree.isShown(element)) return false;
    const { position, backgroundColor, backdropFilter, opacity } = getComputedStyle(element);
    if (position !== 'fixed' && position !== 'absolute') return false;
    const parts = /^rgba\(.*,\s*([\d.]+)\)$|\/\s*([\d.]+)\)$/.exec(backgroundColor);
    const own = Number(parts?.[1] ?? parts?.[2] ?? 1);
    const alpha = own * Number(opacity);
    return (alpha >= 0.1 && alpha < 0.98) || (backdropFilter !== 'none' && backdropFilter !== '');
  }
}
