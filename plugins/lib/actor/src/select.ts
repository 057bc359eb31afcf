import { definePageFunction, FlatTree, nextFrame } from '@platen/lib-page-functions';
import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';
import { quotable } from './describe-cover.js';
import type { PageElement } from './element.js';
import { insertText } from './keyboard.js';
import { clickAt } from './pointer.js';
import { reachElement } from './reach-element.js';

/** Milliseconds for options that a page loads. */
const OPTIONS_MS = 3_000;
/** Options that a message lists. */
const MAX_LISTED = 20;

/** Selects options by their labels, else by their values. @throws ActionError that lists the options if there is none of that name. */
export async function selectOptions(target: PageElement, values: readonly string[], attempt: Attempt): Promise<void> {
  const native = await target.find(findSelect);
  const point = (attempt.noted.point = await reachElement(native ?? target, attempt));
  if (native !== undefined) {
    attempt.begin();
    const failure = await native.call(setSelected, { values, waitMs: waitMs(attempt) });
    if (failure !== undefined) throw failureOf(target, failure);
    return;
  }
  if (!(await target.call(isOpen))) await clickAt(point, attempt);
  for (const value of values) await clickOption(target, value, attempt);
}

/** An option of a list that the page made of other elements. */
async function clickOption(target: PageElement, value: string, attempt: Attempt): Promise<void> {
  let option = await target.find(findOption, { value, waitMs: 500 });
  // A field shows the options that match what is typed.
  if (option === undefined && (await target.call(selectTyped))) await insertText(value, attempt);
  option ??= await target.find(findOption, { value, waitMs: waitMs(attempt) });
  if (option === undefined) throw failureOf(target, { missing: value, labels: await target.call(listOptions) });
  if (await option.call(isSelected)) return;
  await clickAt(await reachElement(option, attempt), attempt);
}

function waitMs(attempt: Attempt): number {
  return Math.min(OPTIONS_MS, attempt.leftMs() / 2);
}

interface Failure {
  readonly missing?: string;
  readonly labels?: readonly string[];
  readonly reason?: string;
}

function failureOf({ ref }: PageElement, { missing, labels = [], reason = 'is not a list of options' }: Failure): ActionError {
  if (missing === undefined) return new ActionError(`${ref} ${reason}`);
  if (labels.length === 0) return new ActionError(`${ref} has no option "${quotable(missing)}"; it shows none`);
  const listed = labels.slice(0, MAX_LISTED).map((label) => `"${quotable(label)}"`);
  const more = labels.length > MAX_LISTED ? ` and ${String(labels.length - MAX_LISTED)} more` : '';
  return new ActionError(`${ref} has no option "${quotable(missing)}"; it has: ${listed.join(', ')}${more}`);
}

/** Runs in the page; must not capture outer variables. */
const findSelect = definePageFunction({ FlatTree }, (parts, element: Element): Element | null => {
  if (element instanceof HTMLSelectElement) return element;
  if (element instanceof HTMLOptionElement) return element.closest('select');
  const control = element.closest('label')?.control;
  if (control instanceof HTMLSelectElement) return control;
  const inside = new parts.FlatTree().elements(element).filter((one) => one instanceof HTMLSelectElement);
  return inside.length === 1 ? (inside[0] ?? null) : null;
});

interface Wanted {
  readonly values: readonly string[];
  readonly waitMs: number;
}

/** Runs in the page; must not capture outer variables. Returns why it failed. */
const setSelected = definePageFunction(
  { nextFrame },
  async (parts, element: Element, { values, waitMs }: Wanted): Promise<Failure | undefined> => {
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
    while (missing() !== undefined && performance.now() < until) await parts.nextFrame();
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
  },
);

/** Runs in the page; must not capture outer variables. */
function isOpen(element: Element): boolean {
  return element.matches('[role=listbox], [aria-expanded=true]') || element.closest('[role=listbox]') !== null;
}

/** Runs in the page; must not capture outer variables. Selects the text of a field; false if the element is none. */
function selectTyped(element: Element): boolean {
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
    return (option.getAttribute('aria-label') ?? option.textContent).replace(/\s+/g, ' ').trim();
  }

  options(trees: readonly ParentNode[]): readonly Element[] {
    const element = this.#element;
    const named = `${element.getAttribute('aria-controls') ?? ''} ${element.getAttribute('aria-owns') ?? ''}`.split(/\s+/);
    const lists = trees.flatMap((tree) => Array.from(tree.querySelectorAll('[role=listbox], [role=menu], [role=tree], [role=grid]')));
    const own = lists.filter(({ id }) => id !== '' && named.includes(id));
    if (own.length > 0) return this.#within(own);
    const inside = this.#within([element.closest('[role=listbox]') ?? element]);
    return inside.length > 0 ? inside : this.#within(trees);
  }

  #within(trees: readonly ParentNode[]): readonly Element[] {
    const selector = '[role=option], [role=menuitemradio], [role=menuitem], [role=treeitem]';
    return trees.flatMap((tree) => Array.from(tree.querySelectorAll(selector))).filter((option) => option.getClientRects().length > 0);
  }
}

interface WantedOption {
  readonly value: string;
  readonly waitMs: number;
}

/** Runs in the page; must not capture outer variables. Waits for the option. */
const findOption = definePageFunction(
  { FlatTree, OptionFinder, nextFrame },
  async (parts, element: Element, { value, waitMs }: WantedOption): Promise<Element | null> => {
    const finder = new parts.OptionFinder(element);
    const wanted = value.replace(/\s+/g, ' ').trim();
    const root = element.getRootNode();
    const find = () => {
      const inner = root instanceof ShadowRoot ? [root] : [];
      const options = finder.options([...inner, ...new parts.FlatTree().trees(document)]);
      return (
        options.find((option) => finder.nameOf(option) === wanted) ??
        options.find((option) => [option.getAttribute('data-value'), option.getAttribute('value')].includes(value)) ??
        options.find((option) => finder.nameOf(option).toLowerCase() === wanted.toLowerCase())
      );
    };
    const until = performance.now() + waitMs;
    let found = find();
    while (found === undefined && performance.now() < until) {
      await parts.nextFrame();
      found = find();
    }
    return found ?? null;
  },
);

/** Runs in the page; must not capture outer variables. */
const listOptions = definePageFunction({ FlatTree, OptionFinder }, (parts, element: Element): readonly string[] => {
  const finder = new parts.OptionFinder(element);
  const root = element.getRootNode();
  const inner = root instanceof ShadowRoot ? [root] : [];
  return finder.options([...inner, ...new parts.FlatTree().trees(document)]).map((option) => finder.nameOf(option));
});

/** Runs in the page; must not capture outer variables. */
function isSelected(element: Element): boolean {
  return element.getAttribute('aria-selected') === 'true';
}
