import { FlatTree } from '@platen/lib-page-functions';
import type { Locator, Place, TargetFacts } from '../script.js';

/** The purpose of an element. */
export type Use = 'fill' | 'select' | 'check' | 'upload' | 'frame' | 'other';

/** State between the functions, in our isolated world. */
interface RootsWorld {
  platenRoots?: ParentNode[] | undefined;
}

/** Scripts cannot find closed shadow trees by themselves. */
export function addClosedRoot(_: Element, root: Node): void {
  // The world is our own: nothing else has this member.
  const world = globalThis as typeof globalThis & RootsWorld;
  if (root instanceof ShadowRoot) (world.platenRoots ??= []).push(root);
}

/** The control of a label or a wrapper. */
export function findControl(element: Element, use: Use): Element {
  const selectors: Partial<Record<Use, string>> = {
    fill: 'input:not([type=hidden]), textarea, select, [contenteditable]:not([contenteditable=false])',
    select: 'select',
    check: 'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role^=menuitem]',
    upload: 'input[type=file]',
  };
  const selector = selectors[use];
  if (selector === undefined || element.matches(selector)) return element;
  const label = element.closest('label');
  // A box that is checked by its label is often hidden.
  if (label?.control?.matches(selector) === true) return use === 'check' ? label : label.control;
  const inside = new FlatTree().elements(element).filter((one) => one.matches(selector));
  return (inside.length === 1 ? inside[0] : undefined) ?? element;
}

/** Uses up the closed roots that were added. */
export function readPlace(element: Element, use: Use): Place & { readonly facts: TargetFacts } {
  // See above.
  const world = globalThis as typeof globalThis & RootsWorld;
  const tree = new FlatTree();
  const trees = new Set([...tree.trees<ParentNode>(document), ...(world.platenRoots ?? []).flatMap((root) => tree.trees(root))]);
  world.platenRoots = undefined;
  const finder = new LocatorFinder(element, [...trees]);
  const modes: ShadowRootMode[] = [];
  for (let root = element.getRootNode(); root instanceof ShadowRoot; root = root.host.getRootNode()) modes.push(root.mode);
  return {
    locators: use === 'frame' ? finder.listFrame() : finder.list(),
    shadow: modes.length === 0 ? 'none' : modes.includes('closed') ? 'closed' : 'open',
    facts: {
      isNativeSelect: element instanceof HTMLSelectElement,
      isFileInput: element instanceof HTMLInputElement && element.type === 'file',
      isOpen: element.matches('[role=listbox], [aria-expanded=true]') || element.closest('[role=listbox]') !== null,
    },
  };
}

/** Finds locators of an element that are unique in the given trees: the document and its shadow trees. */
class LocatorFinder {
  readonly #element: Element;
  readonly #trees: readonly ParentNode[];

  constructor(element: Element, trees: readonly ParentNode[]) {
    this.#element = element;
    this.#trees = trees;
  }

  /** Without the role, and labels that are not checked: the browser's accessibility tree knows these. */
  list(): readonly Locator[] {
    const first = ['data-testid', 'data-test-id', 'data-test'].flatMap((name) => this.#attribute(name));
    const next = ['placeholder', 'alt', 'title'].flatMap((name) => this.#attribute(name));
    return [...first, ...this.#label(), ...next, ...this.#text(), ...this.#id(), ...this.#attribute('name'), this.#path()];
  }

  listFrame(): readonly Locator[] {
    return [...['name', 'title', 'src'].flatMap((name) => this.#attribute(name)), ...this.#id(), this.#path()];
  }

  #count(selector: string): number {
    return this.#trees.reduce((sum, tree) => sum + tree.querySelectorAll(selector).length, 0);
  }

  #attribute(name: string): readonly Locator[] {
    const value = this.#element.getAttribute(name);
    // A selector has it on one line.
    if (value === null || value.trim() === '' || value.length > 200 || /\p{Cc}/u.test(value)) return [];
    return this.#count(`[${name}="${value.replace(/["\\]/g, '\\$&')}"]`) === 1 ? [{ by: 'attribute', name, value }] : [];
  }

  #label(): readonly Locator[] {
    const labels = 'labels' in this.#element && this.#element.labels instanceof NodeList ? Array.from(this.#element.labels) : [];
    const text = this.#plain(this.#element.getAttribute('aria-label') ?? labels[0]?.textContent ?? '');
    return text === '' || text.length > 200 ? [] : [{ by: 'label', text }];
  }

  /** If it is the only innermost element that contains the text, and has no other text. */
  #text(): readonly Locator[] {
    const text = this.#plain(this.#element.textContent);
    if (text.length < 2 || text.length > 80) return [];
    const all = this.#trees
      .flatMap((tree) => Array.from(tree.querySelectorAll('*')))
      .filter((one) => one.textContent.includes(text) && !one.matches('script, style'));
    const outer = new Set<Element | null>(all.map(({ parentElement }) => parentElement));
    const [found, ...others] = all.filter((one) => !outer.has(one));
    return found === this.#element && others.length === 0 ? [{ by: 'text', text }] : [];
  }

  /** Ids with several digits, or other signs than letters and dashes, are often made anew for each page. */
  #id(): readonly Locator[] {
    const id = this.#element.getAttribute('id') ?? '';
    return /^[A-Za-z][A-Za-z_-]*\d?$/.test(id) && this.#count(`#${id}`) === 1 ? [{ by: 'css', parts: [`#${id}`] }] : [];
  }

  #path(): Locator {
    const parts: string[] = [];
    for (let at: Element | undefined = this.#element; at !== undefined;) {
      const root: Node = at.getRootNode();
      const selector = this.#pathIn(root instanceof ShadowRoot ? root : document, at);
      parts.unshift(selector);
      if (!selector.startsWith(':host') && this.#count(selector) === 1) break;
      at = root instanceof ShadowRoot ? root.host : undefined;
    }
    return { by: 'css', parts };
  }

  /** The shortest unique path upwards in its own tree; selectors of a document see shadow trees, too. */
  #pathIn(root: ParentNode, element: Element): string {
    const path: string[] = [];
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      let index = 1;
      for (let before = at.previousElementSibling; before !== null; before = before.previousElementSibling)
        if (before.localName === at.localName) index += 1;
      path.unshift(`${CSS.escape(at.localName)}:nth-of-type(${String(index)})`);
      const selector = path.join(' > ');
      if ((root === document ? this.#count(selector) : root.querySelectorAll(selector).length) === 1) return selector;
    }
    return root === document ? path.join(' > ') : `:host > ${path.join(' > ')}`;
  }

  #plain(text: string): string {
    return text.replace(/\s+/g, ' ').trim();
  }
}
