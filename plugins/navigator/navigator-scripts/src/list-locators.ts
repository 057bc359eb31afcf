import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import type { Locator, Place, TargetFacts } from './script.js';

/** What an element is needed for. */
export type Use = 'fill' | 'select' | 'check' | 'upload' | 'frame' | 'other';

/** State between the functions, in our isolated world. */
interface RootsWorld {
  platenRoots?: ParentNode[];
}

/** Runs in the page; must not capture outer variables. Other closed shadow trees than those around the element cannot be found by scripts. */
export function addClosedRoot(_: Element, root: Node): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & RootsWorld;
  if (root instanceof ShadowRoot) (world.platenRoots ??= []).push(root);
}

/** Runs in the page; must not capture outer variables. */
export function forgetClosedRoots(): void {
  Reflect.deleteProperty(globalThis, 'platenRoots');
}

/** Runs in the page; must not capture outer variables. The control that a label or a wrapper stands for. */
export const findControl = definePageFunction({ FlatTree }, (parts, element: Element, use: Use): Element => {
  const selectors: Partial<Record<Use, string>> = {
    fill: 'input:not([type=hidden]), textarea, select, [contenteditable]:not([contenteditable=false])',
    select: 'select',
    check: 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role^=menuitem]',
    upload: 'input[type=file]',
  };
  const selector = selectors[use];
  if (selector === undefined || element.matches(selector)) return element;
  const control = element.closest('label')?.control;
  if (control?.matches(selector) === true) return control;
  const inside = new parts.FlatTree().elements(element).filter((one) => one.matches(selector));
  return (inside.length === 1 ? inside[0] : undefined) ?? element;
});

/** Finds locators of an element that are unique in the given trees: the document and its shadow trees. */
class LocatorFinder {
  readonly #element: Element;
  readonly #trees: readonly ParentNode[];

  constructor(element: Element, trees: readonly ParentNode[]) {
    this.#element = element;
    this.#trees = trees;
  }

  /** Without the role: only the browser's accessibility tree knows it. */
  list(): readonly Locator[] {
    const found = [...this.#testIds(), ...this.#labels(), ...this.#texts()];
    const css = [this.#id(), this.#attribute('name')].filter((selector) => selector !== undefined && this.#isUnique(selector));
    return [...found, ...css.map((selector) => ({ by: 'css', parts: [selector ?? ''] }) as const), this.#path()];
  }

  listFrame(): readonly Locator[] {
    const css = [...['name', 'title'].map((name) => this.#attribute(name)), this.#id(), this.#attribute('src')];
    const unique = css.filter((selector) => selector !== undefined && this.#isUnique(selector));
    return [...unique.map((selector) => ({ by: 'css', parts: [selector ?? ''] }) as const), this.#path()];
  }

  #count(selector: string): number {
    return this.#trees.reduce((sum, tree) => sum + tree.querySelectorAll(selector).length, 0);
  }

  #isUnique(selector: string): boolean {
    return this.#count(selector) === 1;
  }

  /** Undefined if a selector cannot have its value on one line. */
  #attribute(name: string, tag = this.#element.localName): string | undefined {
    const value = this.#element.getAttribute(name);
    if (value === null || value.trim() === '' || value.length > 200 || /\p{Cc}/u.test(value)) return undefined;
    return `${CSS.escape(tag)}[${name}="${value.replace(/["\\]/g, '\\$&')}"]`;
  }

  #testIds(): readonly Locator[] {
    return ['data-testid', 'data-test-id', 'data-test'].flatMap((attribute) => {
      const selector = this.#attribute(attribute);
      const value = this.#element.getAttribute(attribute) ?? '';
      const isUnique = selector !== undefined && this.#count(selector.slice(selector.indexOf('['))) === 1;
      return isUnique ? [{ by: 'testId', attribute, value } as const] : [];
    });
  }

  #labels(): readonly Locator[] {
    const named = 'input, textarea, select, button, meter, output, progress, [aria-label], [aria-labelledby]';
    const all = this.#trees.flatMap((tree) => Array.from(tree.querySelectorAll(named)));
    return this.#labelsOf(this.#element).flatMap((text) => {
      const isUnique = text !== '' && text.length <= 200 && all.filter((one) => this.#labelsOf(one).includes(text)).length === 1;
      return isUnique ? [{ by: 'label', text } as const] : [];
    });
  }

  #labelsOf(element: Element): readonly string[] {
    const root = element.getRootNode();
    const named = (element.getAttribute('aria-labelledby') ?? '').split(/\s+/).filter((id) => id !== '');
    const owners =
      root instanceof Document || root instanceof ShadowRoot
        ? named.map((id) => root.getElementById(id)).filter((one) => one !== null)
        : [];
    if (owners.length > 0) return owners.map((one) => this.#plain(one.textContent));
    const own = this.#plain(element.getAttribute('aria-label') ?? '');
    if (own !== '') return [own];
    const labels = 'labels' in element && element.labels instanceof NodeList ? Array.from(element.labels) : [];
    // The text of a label around a list has all of its options.
    return labels
      .filter((label) => !(label instanceof Element && label.querySelector('select, textarea')))
      .map((label) => this.#plain(label.textContent ?? ''));
  }

  #texts(): readonly Locator[] {
    const attributes = (
      [
        ['placeholder', 'placeholder'],
        ['alt', 'alt'],
        ['title', 'title'],
      ] as const
    ).flatMap(([by, name]) => {
      const selector = this.#attribute(name);
      const isUnique = selector !== undefined && this.#count(selector.slice(selector.indexOf('['))) === 1;
      return isUnique ? [{ by, text: this.#element.getAttribute(name) ?? '' }] : [];
    });
    const text = this.#plain(this.#element.textContent);
    return [...attributes, ...(this.#isUniqueText(text) ? [{ by: 'text', text } as const] : [])];
  }

  /** The only innermost element that contains the text has no other text, and is part of the element. */
  #isUniqueText(text: string): boolean {
    if (text.length < 2 || text.length > 80) return false;
    const has = (one: Element) => one.textContent.includes(text);
    const all = this.#trees
      .flatMap((tree) => Array.from(tree.querySelectorAll('*')))
      .filter((one) => !one.matches('script, style') && has(one));
    const outer = new Set<Element | null>(all.map(({ parentElement }) => parentElement));
    const inner = all.filter((one) => !outer.has(one));
    const [found] = inner;
    return inner.length === 1 && found !== undefined && this.#element.contains(found) && this.#plain(found.textContent) === text;
  }

  /** Ids with several digits, or other signs than letters and dashes, are often made anew for each page. */
  #id(): string | undefined {
    const id = this.#element.getAttribute('id');
    return id !== null && /^[A-Za-z][A-Za-z_-]*\d?$/.test(id) ? `#${id}` : undefined;
  }

  #path(): Locator {
    const parts: string[] = [];
    for (let at: Element | undefined = this.#element; at !== undefined;) {
      const root: Node = at.getRootNode();
      const selector = this.#pathIn(root instanceof ShadowRoot ? root : document, at);
      parts.unshift(selector);
      if (this.#isUnique(selector)) break;
      at = root instanceof ShadowRoot ? root.host : undefined;
    }
    return { by: 'css', parts };
  }

  #pathIn(root: ParentNode, element: Element): string {
    let selector = '';
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      let index = 1;
      for (let before = at.previousElementSibling; before !== null; before = before.previousElementSibling)
        if (before.localName === at.localName) index += 1;
      const own = `${CSS.escape(at.localName)}:nth-of-type(${String(index)})`;
      selector = selector === '' ? own : `${own} > ${selector}`;
      if (root.querySelectorAll(selector).length === 1) return selector;
    }
    return selector;
  }

  #plain(text: string): string {
    return text.replace(/\s+/g, ' ').trim();
  }
}

/** Runs in the page; must not capture outer variables. */
export const readPlace = definePageFunction(
  { FlatTree, LocatorFinder },
  (parts, element: Element, use: Use): Place & { readonly facts: TargetFacts } => {
    // See above.
    const { platenRoots = [] } = globalThis as typeof globalThis & RootsWorld;
    const tree = new parts.FlatTree();
    const trees = new Set([...tree.trees<ParentNode>(document), ...platenRoots.flatMap((root) => tree.trees(root))]);
    const finder = new parts.LocatorFinder(element, [...trees]);
    const around: ShadowRoot[] = [];
    for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) around.push(root);
    const { width, height } = element.getBoundingClientRect();
    const { visibility, clipPath, opacity } = getComputedStyle(element);
    const isShown = width > 2 && height > 2 && visibility === 'visible' && clipPath === 'none' && opacity !== '0';
    return {
      locators: use === 'frame' ? finder.listFrame() : finder.list(),
      shadow: around.length === 0 ? 'none' : around.some(({ mode }) => mode === 'closed') ? 'closed' : 'open',
      facts: {
        tag: element.localName,
        isFileInput: element instanceof HTMLInputElement && element.type === 'file',
        isHidden: !isShown,
        isOpen: element.matches('[role=listbox], [aria-expanded=true]') || element.closest('[role=listbox]') !== null,
      },
    };
  },
);
