import { FlatTree } from '@platen/lib-page-functions';

/** What holds in a document, also for what appears in it later. */
export interface Rules {
  readonly css: string;
  readonly hide: readonly string[];
  readonly remove: readonly string[];
}

/** Milliseconds after which a shadow tree that was attached to an element of the page is found. */
const LOOK_MS = 200;

/** Changes of the page that are followed immediately, within one task. */
const MAX_RUNS = 20;

/** Runs in an isolated world. Pages may replace their list of style sheets, and attach shadow trees without any event. */
export class Keeper {
  readonly #tree = new FlatTree();
  readonly #styles = new CSSStyleSheet();
  readonly #hiding = new CSSStyleSheet();
  #runs = 0;
  readonly #observer = new MutationObserver(() => {
    // A page that immediately puts back what was removed would never come to rest.
    if (this.#runs === 0) {
      setTimeout(() => {
        this.#runs = 0;
        this.#keep();
      });
    }
    this.#runs += 1;
    if (this.#runs <= MAX_RUNS) this.#keep();
  });
  #css = '';
  #remove: readonly string[] = [];
  #trees: readonly (Document | ShadowRoot)[] = [document];
  #timer: number | undefined;

  /** Replaces the rules. */
  set({ css, hide, remove }: Rules): void {
    if (css !== this.#css) this.#styles.replaceSync(css);
    this.#css = css;
    this.#hiding.replaceSync('');
    for (const selector of hide) {
      const normal = this.#hide(selector);
      // An element in it may be visible by a rule of its own.
      this.#hide(`:is(${normal}) *`);
    }
    this.#remove = remove;
    this.look();
    const looks = hide.length + remove.length > 0;
    this.#timer ??= looks
      ? window.setInterval(() => {
          this.look();
        }, LOOK_MS)
      : undefined;
  }

  /** Finds new shadow trees. */
  look(): void {
    const isUsed = this.#hiding.cssRules.length + this.#remove.length > 0;
    const trees = isUsed ? this.#tree.trees<Document | ShadowRoot>(document) : [document];
    const known = new Set(this.#trees);
    this.#trees = trees;
    for (const tree of trees) {
      if (tree === document ? this.#timer === undefined : !known.has(tree))
        this.#observer.observe(tree, { subtree: isUsed, childList: true, attributes: isUsed });
    }
    this.#keep();
  }

  /** Returns the selector as the browser writes it. A layer wins over the page's own important rules. */
  #hide(selector: string): string {
    const at = this.#hiding.insertRule('@layer platen { x { visibility: hidden !important } }', this.#hiding.cssRules.length);
    const layer = this.#hiding.cssRules[at];
    const rule = layer instanceof CSSGroupingRule ? layer.cssRules[0] : undefined;
    if (!(rule instanceof CSSStyleRule)) return selector;
    rule.selectorText = selector;
    return rule.selectorText;
  }

  #keep(): void {
    this.#adopt(document, this.#styles);
    for (const tree of this.#trees) {
      this.#adopt(tree, this.#hiding);
      for (const selector of this.#remove) for (const element of tree.querySelectorAll(selector)) element.remove();
    }
  }

  #adopt(tree: Document | ShadowRoot, sheet: CSSStyleSheet): void {
    if (sheet.cssRules.length > 0 && !tree.adoptedStyleSheets.includes(sheet)) tree.adoptedStyleSheets.push(sheet);
  }
}
