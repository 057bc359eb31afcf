import type { Feature, ModalFeatures, PageState } from './modal-features.js';
import type { Button, Candidate, ModalKind } from './modal-traits.js';
import type { ModalWords } from './modal-words.js';
import { MODEL, type Weights } from './model.js';
import type { PageTree } from './page-tree.js';

export interface Modal {
  readonly kind: ModalKind;
  readonly element: Element;
  readonly buttons: readonly Button[];
  /** The features that were present, for or against. */
  readonly why: readonly Feature[];
}

export interface FinderParts {
  readonly tree: PageTree;
  readonly words: ModalWords;
  readonly features: ModalFeatures;
}

/** Finds overlays that are not part of the page's content. */
export class ModalFinder {
  readonly #tree: PageTree;
  readonly #words: ModalWords;
  readonly #features: ModalFeatures;
  /** The kinds of modals found in frames, by frame element. */
  readonly #frames = new WeakMap<Element, ModalKind>();
  /** The overlays at the first check. */
  #known: WeakSet<Element> | undefined;

  constructor({ tree, words, features }: FinderParts) {
    this.#tree = tree;
    this.#words = words;
    this.#features = features;
  }

  /** The outermost element of each modal, in document order. */
  find(): readonly Modal[] {
    const { body } = document;
    const total = Math.max(1, this.#tree.text(body).length);
    const layered = this.#tree.all(body).filter((element) => this.#isCandidate(element));
    const edges = [...Array.from(body.children).slice(0, 3), ...Array.from(body.children).slice(-4)];
    const cut = this.#cutParts();
    const page: PageState = { known: this.#known, isLocked: this.#isLocked(), isCut: cut.length > 0 };
    const found: Modal[] = [];
    const isNew = (element: Element) => !found.some((modal) => this.#tree.contains(modal.element, element));
    const look = (element: Element, { layer, behindCut = false }: Pick<Candidate, 'layer' | 'behindCut'>): void => {
      if (!isNew(element) || this.#isLarge(element)) return;
      const candidate = { ...this.#describe(element, layer, total), behindCut };
      // An element with most of the page's text is a wrapper rather than a modal: search the overlays inside it first.
      const before = found.length;
      if (candidate.share > 0.5)
        for (const other of layered)
          if (other !== element && this.#tree.contains(element, other)) look(other, { layer: this.#tree.layer(other) ?? 'flow' });
      if (found.length > before) return;
      const verdict = this.#classify(candidate, page);
      if (verdict !== undefined) found.push({ ...verdict, element: this.#outermost(element), buttons: candidate.buttons });
    };
    for (const element of layered) look(element, { layer: this.#tree.layer(element) ?? 'flow' });
    for (const element of this.#behind(cut)) look(element, { layer: 'flow', behindCut: true });
    for (const element of edges) if (this.#tree.isShown(element) && !layered.includes(element)) look(element, { layer: 'flow' });
    this.#known ??= new WeakSet(layered);
    return found;
  }

  /** The kind of the document itself, if it is in a frame that overlays another page. */
  classifyDocument(): Modal | undefined {
    const element = document.body;
    const candidate = { ...this.#describe(element, 'flow', 1), share: 0 };
    if (candidate.text.length > 6000) return undefined;
    // The parent frame has already checked that the frame overlays the page.
    const verdict = this.#classify(candidate, { known: undefined, isLocked: false, isCut: false }, 2);
    return verdict === undefined ? undefined : { ...verdict, element, buttons: candidate.buttons };
  }

  /** Records the kind of modal in a frame. */
  noteFrame(frame: Element, kind: ModalKind): void {
    this.#frames.set(frame, kind);
  }

  /** Whether a frame overlays the page, itself or through an ancestor. */
  isLayered(frame: Element): boolean {
    for (let at: Element | null = frame; at !== null && at !== document.body; at = this.#tree.parent(at)) {
      if (this.#tree.layer(at) !== undefined) return this.#tree.isShown(frame);
    }
    return false;
  }

  #classify(candidate: Candidate, page: PageState, ahead = 0): Omit<Modal, 'element' | 'buttons'> | undefined {
    const { place, most, own, threshold, kinds } = MODEL;
    const features = this.#features.measure(candidate, page);
    const sum = (weights: Weights) => features.reduce((total, name) => total + (weights[name] ?? 0), 0);
    const placement = Math.min(sum(place), most) + sum(own) + ahead;
    const scores = kinds.map(({ kind, core, support, against }) => ({
      kind,
      score: sum(core) > 0 ? placement + sum(core) + sum(support) + sum(against) : 0,
    }));
    const best = scores.reduce((a, b) => (b.score > a.score ? b : a));
    return best.score >= threshold ? { kind: best.kind, why: features } : undefined;
  }

  #isLocked(): boolean {
    const { documentElement, body } = document;
    return [documentElement, body].some((element) => {
      const { overflowY, position } = getComputedStyle(element);
      return overflowY === 'hidden' || overflowY === 'clip' || position === 'fixed';
    });
  }

  /** Text that is truncated, faded out or unreadable. */
  #cutParts(): readonly HTMLElement[] {
    return Array.from(document.body.querySelectorAll<HTMLElement>('main, div, section, article, p')).filter(
      (element) => element.textContent.length > 200 && this.#tree.isShown(element) && this.#tree.isCut(element),
    );
  }

  /** Short boxes after truncated text or over its end. */
  #behind(cut: readonly HTMLElement[]): readonly Element[] {
    const near = cut.flatMap((element) => [
      element.nextElementSibling,
      element.nextElementSibling?.nextElementSibling,
      element.parentElement?.nextElementSibling,
      element.lastElementChild,
    ]);
    return near
      .filter((element) => element !== null && element !== undefined)
      .filter(
        (element) =>
          this.#tree.isShown(element) &&
          element.querySelector('article, main, h1, p + p + p + p') === null &&
          this.#tree.text(element).length < 800 &&
          element.querySelector('a, button') !== null,
      );
  }

  /** An element this large is the page or a wrapper; the overlays inside it are checked separately. */
  #isLarge(element: Element): boolean {
    return element.getElementsByTagName('*').length > 4000;
  }

  #isCandidate(element: Element): boolean {
    try {
      return this.#tree.layer(element) !== undefined && this.#isShownAnywhere(element) && this.#tree.isInView(element);
    } catch {
      // A form field named like a DOM property shadows that property of its form.
      return false;
    }
  }

  /** A wrapper without a size of its own may have visible children. */
  #isShownAnywhere(element: Element): boolean {
    return this.#tree.isShown(element) || Array.from(element.children).some((child) => this.#tree.isShown(child));
  }

  #describe(element: Element, layer: Candidate['layer'], total: number): Candidate {
    const text = this.#tree.text(element);
    const clickables = this.#tree.clickables(element).slice(0, 200);
    const buttons = clickables.map((button) => {
      const role = this.#words.role(button, this.#tree.label(button));
      if (role === 'other' && this.#tree.isCornerIcon(button)) return { element: button, role: 'close' as const };
      // A link to another page is not an answer.
      const answers = role === 'accept' || role === 'refuse';
      return { element: button, role: answers && this.#tree.leavesScope(button) ? ('other' as const) : role };
    });
    const links = clickables.filter((link): link is HTMLAnchorElement => link instanceof HTMLAnchorElement && link.hasAttribute('href'));
    const framed = Array.from(element.querySelectorAll('iframe')).concat(element instanceof HTMLIFrameElement ? [element] : []);
    const frame = text.length < 300 ? framed.map((inner) => this.#frames.get(inner)).find((kind) => kind !== undefined) : undefined;
    return { element, layer, text, buttons, links, share: text.length / total, frame };
  }

  /** The outermost container that shows only the modal. */
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
