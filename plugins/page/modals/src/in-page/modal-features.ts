import type { Button, Candidate, ModalTraits } from './modal-traits.js';
import type { ModalWords, Topic } from './modal-words.js';
import type { PageTree } from './page-tree.js';

/** State of the page when a candidate is checked. */
export interface PageState {
  /** The overlays at the first check; undefined during that check. */
  readonly known: WeakSet<Element> | undefined;
  readonly isLocked: boolean;
  readonly isCut: boolean;
}

export type Feature = keyof ReturnType<ModalFeatures['features']>;

/** Measures which features of the model a candidate has. */
export class ModalFeatures {
  readonly #tree: PageTree;
  readonly #words: ModalWords;
  readonly #traits: ModalTraits;
  readonly #offers =
    /subscri|\babo(?:nn?|s)?|abonn|premium|member|regist|sign-?(?:up|in)|log-?(?:in|g)|anmeld|connexion|entrar|join|offer|offre|angebot|plans?\b|pricing|kjop|kauf|buy|konto|account|suscri|assin|prenum|predplat|prihlas/i;

  constructor(tree: PageTree, words: ModalWords, traits: ModalTraits) {
    this.#tree = tree;
    this.#words = words;
    this.#traits = traits;
  }

  /** The names of all features that the candidate has. */
  measure(candidate: Candidate, page: PageState): readonly Feature[] {
    const features = this.features(candidate, page);
    // The keys of the object literals below.
    const names = Object.keys(features) as readonly Feature[];
    return names.filter((name) => features[name]);
  }

  /** All features, each present or absent. */
  features(candidate: Candidate, page: PageState) {
    return { ...this.#place(candidate, page), ...this.#says(candidate, page), ...this.#buttons(candidate), ...this.#own(candidate) };
  }

  #place({ element, layer, behindCut }: Candidate, { known, isLocked, isCut }: PageState) {
    const dims = layer !== 'flow' && this.#traits.dims(element);
    const { width, height, top, bottom } = element.getBoundingClientRect();
    const isFixed = layer === 'fixed' || layer === 'top' || layer === 'dialog';
    const isWide = width >= innerWidth * 0.9;
    return {
      topLayer: layer === 'top',
      dims,
      locksPage: isLocked && isFixed && (dims || this.#tree.cover(element) > 0.3),
      late: known !== undefined && !known.has(element) && layer !== 'flow',
      dialogRole:
        layer !== 'flow' &&
        (element.matches('[role$="dialog"], [aria-modal="true"]') || element.querySelector('[role$="dialog"]') !== null),
      hostage: isLocked && isCut && isFixed && dims,
      covers: isFixed && this.#tree.cover(element) > 0.9,
      hides: isFixed && !dims && this.#hides(element),
      strip: isFixed && isWide && height < innerHeight * 0.5 && (top < 30 || bottom > innerHeight - 30),
      card: isFixed && !isWide && height < innerHeight * 0.75,
      inFront: layer !== 'flow' && this.#traits.depth(element) >= 9999,
      uponContent: layer === 'absolute' && element.closest('main, article, [role="main"]') !== null,
      appended: layer !== 'flow' && this.#isAppended(element),
      sticky: layer === 'sticky',
      flow: layer === 'flow' && element !== document.body && behindCut !== true,
      unshaded: !dims && layer !== 'top',
    };
  }

  /** Hides a longer page behind it, while having little text itself. */
  #hides(element: Element): boolean {
    if (this.#tree.cover(element) < 0.97 || element.querySelector('h1, main, article') !== null) return false;
    return this.#tree.text(element).length < 600 && this.#traits.isOpaque(element) && this.#traits.hasPageBehind(element);
  }

  /** After the page's main content, and outside of it. */
  #isAppended(element: Element): boolean {
    const main = document.querySelector('main, article, [role="main"], h1');
    if (main === null || element.contains(main) || element.closest('main, article') !== null) return false;
    return (main.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_FOLLOWING) > 0 || element.getRootNode() !== document;
  }

  #says({ element, text, links, buttons, behindCut }: Candidate, { isCut }: PageState) {
    const about = (topic: Topic, of = text) => this.#words.isAbout(topic, of);
    const offers = links.filter(({ pathname, hostname }) => this.#offers.test(`${hostname}${pathname}`));
    // With little text, the alternative texts of images count too.
    const imageTexts = text.length < 200 ? Array.from(element.querySelectorAll('img'), ({ alt }) => alt).join('\n') : '';
    return {
      consentSentence: about('consent'),
      consentWord: about('consentWord'),
      consentName: this.#traits.isNamedConsent(element),
      policyLink: links.some(({ href }) => /privac|cookie|datenschutz|confidential|policy|gdpr|rgpd/i.test(href)),
      wallSentence: about('wall'),
      offerWord: about('offer'),
      offerLink: offers.length > 0,
      offerLinks: offers.length > 1 && offers.length < 5,
      onlyOffers: offers.length > 0 && buttons.every(({ role }) => role === 'offer' || role === 'close'),
      pageIsOffer: about('offer', document.querySelector('h1')?.textContent ?? '') || about('offer', document.title),
      price: /[€$£¥₺₽₴₩]|\b(?:kr|zł|kč|ft|lei|usd|eur|tl)\b|円|원|руб|грн/iu.test(text),
      pageIsCut: isCut,
      behindCut: behindCut === true,
      biscuits: about('biscuits'),
      notToday: about('notToday'),
      promotionSentence: about('promotion') || about('promotion', imageTexts),
      discount: /[-–−]?\b\d{1,2} ?%|٪|%\d/u.test(`${text} ${imageTexts}`),
      chat: this.#traits.isChat(element, text),
      basket: about('basket') && !about('wall') && !this.#isDiscountForAddress(element, text),
      age: this.#isAge(element, text),
      isLogin: this.#isLogin(element),
      long: text.length > 3000,
      endless: text.length > 20_000,
    };
  }

  /**
   * A discount on the first order in exchange for an address. The order does not exist yet, so the text has neither a quantity nor a total.
   */
  #isDiscountForAddress(element: Element, text: string): boolean {
    return this.#words.isAbout('firstOrder', text) && this.#traits.mailFields(element) === 1 && !/\d[.,]\d\d(?!\d)|:\s*\d/.test(text);
  }

  #isAge(element: Element, text: string): boolean {
    if (text.length > 1500) return false;
    if (this.#words.isAbout('age', text)) return true;
    if (text.length < 500 && /[?？؟]/u.test(text) && this.#words.isAbout('vice', text)) return true;
    // In any language: an age, a question mark, and no other numbers with units.
    const asks = /[?？؟]/u.test(text) && /(?<![\d.,:/-])(?:16|18|19|20|21)(?!\d|[.,:/]\d| ?[%€$£+]?[%€$£])/u.test(text);
    return asks && text.length < 500 && !this.#words.isAbout('consent', text) && this.#traits.mailFields(element) === 0;
  }

  #isLogin(element: Element): boolean {
    const rest = document.querySelector('article, main, [role="main"]');
    return element.querySelector('input[type="password"]') !== null && (rest === null || element.contains(rest));
  }

  #buttons({ element, buttons, text }: Candidate) {
    const has = (...roles: readonly Button['role'][]) => buttons.some(({ role }) => roles.includes(role));
    const { length } = buttons.filter(({ role }) => role !== 'close');
    return {
      accepts: has('accept'),
      noAnswer: !has('accept', 'refuse'),
      refuses: has('refuse'),
      necessary: buttons.some((button) => button.role === 'refuse' && this.#words.isNecessary(this.#tree.label(button.element))),
      choice: (has('accept') && has('refuse', 'settings')) || (has('refuse') && has('settings')),
      closes: has('close'),
      purposes: this.#traits.hasPurposes(element),
      scale: this.#traits.hasScale(buttons),
      asks: text.length < 1200 && length >= 1 && length <= 4,
      mailField: this.#traits.mailFields(element) === 1,
      storeLink: this.#traits.leadsToStore(element),
      pictureLink: this.#traits.isImageLink(element),
    };
  }

  #own(candidate: Candidate) {
    const { element, share, links, frame, layer } = candidate;
    const asksFavour =
      this.#words.isAbout('promotion', candidate.text) && candidate.buttons.some(({ role }) => role === 'refuse' || role === 'close');
    const message = '[role="status"], [role="alert"], [role="log"]';
    const idle = this.#traits.isIdle(candidate);
    return {
      furniture: this.#traits.isFurniture(element),
      landmark: element.matches('header, footer, [role="banner"]'),
      message: element.querySelector('input') === null && (element.matches(message) || element.querySelector(message) !== null),
      contents: links.filter((link) => /^#.+/.test(link.getAttribute('href') ?? '')).length > 2,
      writes: this.#traits.textFields(element) > 0,
      longInFlow: layer === 'flow' && candidate.text.length > 1200 && element !== document.body,
      holdsPage: element.querySelector('main, article, [role="main"]') !== null,
      player: element.querySelector('video, audio, canvas') !== null,
      password: element.querySelector('input[type="password"]') !== null && layer !== 'top' && !this.#traits.dims(element),
      tool: this.#traits.isTool(element, { asksFavour }),
      manyLinks: links.length > 8,
      mostOfPage: share > 0.5 && !this.#frontsPage(candidate),
      asksPassword: element.querySelector('input[type="password"]') !== null || this.#words.isAbout('password', candidate.text),
      nearlyAllOfPage: share > 0.9,
      idle,
      frameConsent: frame === 'consent' && layer !== 'flow',
      frameWall: frame === 'wall' && layer !== 'flow',
      framePromotion: frame === 'promotion' && layer !== 'flow',
    };
  }

  /** Over a longer page behind it: a backdrop that asks for something, or a card with controls for an answer. The text may be short. */
  #frontsPage(candidate: Candidate): boolean {
    const { element, text, buttons } = candidate;
    const topics = ['consent', 'wall', 'promotion'] as const;
    const hasMeans = this.#traits.hasScale(buttons) || this.#traits.leadsToStore(element) || this.#traits.mailFields(element) === 1;
    const asks =
      this.#traits.hasScale(buttons) || this.#traits.leadsToStore(element) || topics.some((topic) => this.#words.isAbout(topic, text));
    if (!asks || !this.#traits.hasPageBehind(element)) return false;
    const shades = () => this.#traits.dims(element) || this.#hides(element);
    if (candidate.layer !== 'flow' && candidate.layer !== 'sticky' && shades()) return true;
    return candidate.layer === 'fixed' && hasMeans && this.#traits.isAtEdge(element);
  }
}
