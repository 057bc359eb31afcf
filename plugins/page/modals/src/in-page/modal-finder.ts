import type { Button, Candidate, ModalTraits } from './modal-traits.js';
import type { ButtonRole, ModalWords } from './modal-words.js';
import type { PageTree } from './page-tree.js';

export type ModalKind = 'consent' | 'wall' | 'promotion' | 'dialog';

export interface Modal {
  readonly kind: ModalKind;
  readonly element: Element;
  readonly buttons: readonly Button[];
}

/** Runs in the page: closes over nothing. Tells what lies over the page without being a part of it. */
export class ModalFinder {
  readonly #tree: PageTree;
  readonly #words: ModalWords;
  readonly #traits: ModalTraits;
  /** What frames were found to hold, by the element that shows them. */
  readonly #frames = new WeakMap<Element, ModalKind>();

  constructor(tree: PageTree, words: ModalWords, traits: ModalTraits) {
    this.#tree = tree;
    this.#words = words;
    this.#traits = traits;
  }

  /** The outermost element of each modal, in the order of the document. */
  find(): readonly Modal[] {
    const { body } = document;
    const total = Math.max(1, this.#tree.text(body).length);
    const layered = this.#tree.all(body).filter((element) => this.#isCandidate(element));
    const edges = [...Array.from(body.children).slice(0, 3), ...Array.from(body.children).slice(-4)];
    const found: Modal[] = [];
    const isNew = (element: Element) => !found.some((modal) => this.#tree.contains(modal.element, element));
    const look = (element: Element, layer: Candidate['layer']): void => {
      if (!isNew(element)) return;
      const candidate = this.#describe(element, layer, total);
      const inner = layered.filter((other) => other !== element && this.#tree.contains(element, other));
      // What holds most of the page is its frame rather than a modal: those are looked for inside first.
      const before = found.length;
      if (candidate.share > 0.5) for (const other of inner) look(other, this.#tree.layer(other) ?? 'flow');
      const kind = found.length === before ? this.#classify(candidate) : undefined;
      if (kind !== undefined) found.push({ kind, element: this.#outermost(element), buttons: candidate.buttons });
    };
    for (const element of layered) look(element, this.#tree.layer(element) ?? 'flow');
    for (const wall of this.#wallsInFlow()) if (isNew(wall)) found.push({ kind: 'wall', element: wall, buttons: [] });
    for (const element of edges) if (this.#tree.isShown(element) && !layered.includes(element)) look(element, 'flow');
    return found;
  }

  /** Short boxes behind what was cut off or made unreadable, which say what it takes to read on. */
  #wallsInFlow(): readonly Element[] {
    const cut = Array.from(document.body.querySelectorAll<HTMLElement>('div, section, article')).filter(
      (element) => element.textContent.length > 200 && this.#tree.isShown(element) && this.#tree.isCut(element),
    );
    const behind = cut.flatMap((element) => [
      element.nextElementSibling,
      element.nextElementSibling?.nextElementSibling,
      element.parentElement?.nextElementSibling,
    ]);
    return behind
      .filter((element) => element !== null && element !== undefined)
      .filter((element) => {
        if (!this.#tree.isShown(element) || element.querySelector('article, main, h1, p + p + p + p') !== null) return false;
        const text = this.#tree.text(element);
        return text.length < 800 && this.#words.isAbout('wall', text) && element.querySelector('a, button') !== null;
      });
  }

  /** What the document is, when it is shown in a frame that lies over another page. */
  classifyDocument(): Modal | undefined {
    const element = document.body;
    const { text, buttons } = this.#describe(element, 'fixed', 1);
    if (text.length > 6000 || this.#words.isAbout('age', text)) return undefined;
    if (this.#traits.mailFields(element) === 1 && text.length < 600) return { kind: 'promotion', element, buttons };
    const kind = this.#isConsent({ element, layer: 'fixed', text, buttons, share: 0 })
      ? 'consent'
      : (['wall', 'promotion'] as const).find((topic) => this.#words.isAbout(topic, text) && !this.#words.isAbout('chat', text));
    return kind === undefined ? undefined : { kind, element, buttons };
  }

  /** Remembers what a frame holds. */
  noteFrame(frame: Element, kind: ModalKind): void {
    this.#frames.set(frame, kind);
  }

  /** Whether a frame lies over the page, by itself or in what does. */
  isLayered(frame: Element): boolean {
    for (let at: Element | null = frame; at !== null && at !== document.body; at = this.#tree.parent(at)) {
      if (this.#tree.layer(at) !== undefined) return this.#tree.isShown(frame);
    }
    return false;
  }

  #isCandidate(element: Element): boolean {
    try {
      return this.#tree.layer(element) !== undefined && this.#isShownAnywhere(element) && this.#tree.isInView(element);
    } catch {
      // A form's fields may stand for its own members.
      return false;
    }
  }

  /** A wrapper without an extent of its own may show what it holds. */
  #isShownAnywhere(element: Element): boolean {
    return this.#tree.isShown(element) || Array.from(element.children).some((child) => this.#tree.isShown(child));
  }

  #describe(element: Element, layer: Candidate['layer'], total: number): Candidate {
    const text = this.#tree.text(element);
    const buttons = this.#tree
      .clickables(element)
      .slice(0, 200)
      .map((button) => ({ element: button, role: this.#words.role(button, this.#tree.label(button)) }));
    return { element, layer, text, buttons, share: text.length / total };
  }

  #classify(candidate: Candidate): ModalKind | undefined {
    const { element, layer, text, share } = candidate;
    const { isAbout } = this.#about(text);
    const framed = Array.from(element.querySelectorAll('iframe')).concat(element instanceof HTMLIFrameElement ? [element] : []);
    const inFrame = framed.map((frame) => this.#frames.get(frame)).find((kind) => kind !== undefined);
    if (inFrame !== undefined && text.length < 300 && layer !== 'flow') return inFrame;
    if (isAbout('age') && text.length < 1500) return undefined;
    if (this.#isConsent(candidate)) return 'consent';
    if (layer === 'flow' || text.length > 3000 || this.#isChrome(element)) return undefined;
    if (isAbout('wall') && this.#isWall(candidate)) return 'wall';
    if (share > 0.5) return undefined;
    if (this.#traits.isPromotion(candidate)) return 'promotion';
    return this.#traits.isIdle(candidate) ? 'dialog' : undefined;
  }

  #about(text: string) {
    return { isAbout: (topic: 'wall' | 'promotion' | 'age' | 'chat') => this.#words.isAbout(topic, text) };
  }

  #isConsent({ element, layer, text, buttons, share }: Candidate): boolean {
    if (text.length > 20_000 || element.querySelector('main, article, [role="main"], video, input[type="password"]') !== null) return false;
    const has = (...roles: readonly ButtonRole[]) => buttons.some(({ role }) => roles.includes(role));
    const says = this.#words.isAbout('consent', text);
    // A word alone is no notice: bakers sell cookies, and footers link to policies.
    const choice = (has('accept') && has('refuse', 'settings')) || (has('refuse') && buttons.length > 1);
    const asks = this.#words.isAbout('consentWord', text) && choice;
    const isNamed = buttons.length > 0 && this.#isNamed(element) && this.#words.isAbout('consentWord', text);
    if (!(says && has('accept', 'refuse', 'close')) && !((asks || isNamed) && text.length < 4000)) return false;
    if (layer !== 'flow') return share <= 0.9;
    // In the flow, a notice is a strip at the page's edge.
    return (
      says && has('accept', 'refuse') && text.length < 1200 && element.getBoundingClientRect().width >= innerWidth * 0.9 && share < 0.5
    );
  }

  /** Whether its makers call it what it is. */
  #isNamed(element: Element): boolean {
    return [element, ...Array.from(element.children)].some((part) =>
      /(?:cookie|consent|gdpr|rgpd|dsgvo|lgpd|privacy)[-_ ]?(?:\w*[-_ ])?(?:banner|bar|box|notice|notification|consent|popup|modal|dialog|overlay|container|law|melding|hinweis|$)/i.test(
        `${part.id} ${typeof part.className === 'string' ? part.className : ''} ${part.getAttribute('aria-label') ?? ''}`,
      ),
    );
  }

  /** The page's own furniture: header, navigation, toolbars. */
  #isChrome(element: Element): boolean {
    const furniture =
      'header, nav, footer, aside, main, [role="navigation"], [role="banner"], [role="search"], [role="toolbar"], [role="menubar"]';
    if (element.matches(furniture) && !element.matches('[aria-modal="true"]')) return true;
    return element.querySelector('nav, [role="navigation"], [role="search"], [role="main"], main') !== null;
  }

  #isWall({ element, layer, share }: Candidate): boolean {
    if (layer === 'sticky') return false;
    // A page that is a login form and little else is no wall in front of anything.
    if (share > 0.5)
      return document.querySelector('article, main, [role="main"]') !== null && element.querySelector('article, main, h1') === null;
    return true;
  }

  /** The container that shows nothing but the modal. */
  #outermost(element: Element): Element {
    const own = this.#tree.text(element).length;
    let root = element;
    for (
      let at = this.#tree.parent(element);
      at !== null && at !== document.body && at !== document.documentElement;
      at = this.#tree.parent(at)
    ) {
      if (at.matches('main, article, header, footer, form') || this.#tree.text(at).length > own + 20) break;
      if (this.#showsMore(at, element)) break;
      root = at;
    }
    return root;
  }

  #showsMore(outer: Element, modal: Element): boolean {
    return Array.from(outer.querySelectorAll('img, video, canvas, iframe, object, embed, input')).some(
      (media) => !this.#tree.contains(modal, media) && this.#tree.isShown(media),
    );
  }
}
