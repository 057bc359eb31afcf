import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import { findOnly } from './controls.js';

export interface Failure {
  readonly missing?: string;
  readonly labels?: readonly string[];
  readonly reason?: string;
}

export function findSelect(element: Element): Element | null {
  if (element instanceof HTMLOptionElement) return element.closest('select');
  return findOnly(element, (one) => one instanceof HTMLSelectElement);
}

export interface Wanted {
  readonly values: readonly string[];
  readonly waitMs: number;
}

/** Returns why it failed. */
export async function setSelected(element: Element, { values, waitMs }: Wanted): Promise<Failure | undefined> {
  if (!(element instanceof HTMLSelectElement)) return {};
  if (!element.multiple && values.length !== 1) return { reason: 'takes exactly one option' };
  const plain = (text: string) => text.replace(/\s+/g, ' ').trim();
  const find = (value: string) => {
    const options = Array.from(element.options);
    return (
      options.find((option) => plain(option.label) === plain(value)) ??
      options.find((option) => option.value === value) ??
      options.find((option) => plain(option.label).toLowerCase() === plain(value).toLowerCase())
    );
  };
  const until = performance.now() + waitMs;
  const missing = () => values.find((value) => find(value) === undefined);
  while (missing() !== undefined && performance.now() < until) await nextFrame();
  const lacking = missing();
  if (lacking !== undefined) return { missing: lacking, labels: Array.from(element.options, ({ label }) => plain(label)) };
  const chosen = values.map(find);
  const isOff = chosen.find((option) => option?.matches(':disabled') === true);
  if (isOff !== undefined) return { reason: `cannot take the option "${plain(isOff.label)}": it is disabled` };
  element.focus({ preventScroll: true });
  for (const option of element.options) option.selected = chosen.includes(option);
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return undefined;
}

export function isListOpen(element: Element): boolean {
  return element.matches('[role=listbox], [aria-expanded=true]') || element.closest('[role=listbox]') !== null;
}

export function isListClosed(element: Element): boolean {
  return element.matches('[aria-expanded=false]');
}

/** Selects the text of a field; false if the element is none. */
export function selectTyped(element: Element): boolean {
  const field = element.matches('input, textarea') ? element : element.querySelector('input, textarea');
  if (!(field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) || field.readOnly) return false;
  field.focus({ preventScroll: true });
  field.select();
  return true;
}

/** The options of a list: of the element's own, of the one that it names, else all of its document. */
class OptionFinder {
  readonly #element: Element;

  constructor(element: Element) {
    this.#element = element;
  }

  nameOf(option: Element): string {
    return this.#plain(option.getAttribute('aria-label') ?? option.textContent);
  }

  options(trees: readonly ParentNode[]): readonly Element[] {
    const element = this.#element;
    const own = this.#lists(trees);
    if (own.length > 0) return this.#within(own);
    const inside = this.#within([element.closest('[role=listbox]') ?? element]);
    return inside.length > 0 ? inside : this.#within(trees);
  }

  /** What the page draws in the place of an option without a size: the innermost element of its name around the list that the field names. */
  drawnFor(option: Element | undefined, wanted: string, trees: readonly ParentNode[]): Element | undefined {
    const isDrawn = (one: Element) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height) > 1;
    if (option !== undefined && (isDrawn(option) || option.ariaSelected === 'true')) return option;
    const name = option === undefined ? wanted : this.nameOf(option);
    for (const list of this.#lists(trees)) {
      for (let at = list.parentElement; at !== null && !at.contains(this.#element); at = at.parentElement) {
        const others = Array.from(at.querySelectorAll('*')).filter((one) => !list.contains(one) && isDrawn(one));
        const found = others.findLast((one) => this.#plain(one.textContent) === name);
        if (found !== undefined) return found;
      }
    }
    return option;
  }

  #plain(text: string): string {
    return text.replace(/\s+/g, ' ').trim();
  }

  /** Those that the element names. */
  #lists(trees: readonly ParentNode[]): readonly Element[] {
    const element = this.#element;
    const named = `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`.split(/\s+/);
    const lists = trees.flatMap((tree) => Array.from(tree.querySelectorAll('[role=listbox], [role=menu], [role=tree], [role=grid]')));
    return lists.filter(({ id }) => id !== '' && named.includes(id));
  }

  #within(trees: readonly ParentNode[]): readonly Element[] {
    const selector = '[role=option], [role=menuitemradio], [role=menuitem], [role=treeitem]';
    return trees.flatMap((tree) => Array.from(tree.querySelectorAll(selector))).filter((option) => option.getClientRects().length > 0);
  }
}

export interface WantedOption {
  readonly value: string;
  readonly waitMs: number;
}

/** Waits for the option. */
export async function findOption(element: Element, { value, waitMs }: WantedOption): Promise<Element | null> {
  const finder = new OptionFinder(element);
  const wanted = value.replace(/\s+/g, ' ').trim();
  const root = element.getRootNode();
  const find = () => {
    const inner = root instanceof ShadowRoot ? [root] : [];
    const trees = [...inner, ...new FlatTree().trees<ParentNode>(document)];
    const options = finder.options(trees);
    const option =
      options.find((one) => finder.nameOf(one) === wanted) ??
      options.find((one) => [one.getAttribute('data-value'), one.getAttribute('value')].includes(value)) ??
      options.find((one) => finder.nameOf(one).toLowerCase() === wanted.toLowerCase());
    return finder.drawnFor(option, wanted, trees);
  };
  const until = performance.now() + waitMs;
  let found = find();
  while (found === undefined && performance.now() < until) {
    await nextFrame();
    found = find();
  }
  return found ?? null;
}

export function listOptions(element: Element): readonly string[] {
  const finder = new OptionFinder(element);
  const root = element.getRootNode();
  const inner = root instanceof ShadowRoot ? [root] : [];
  return finder.options([...inner, ...new FlatTree().trees(document)]).map((option) => finder.nameOf(option));
}

export function isOptionSelected(element: Element): boolean {
  return element.getAttribute('aria-selected') === 'true';
}
