import { FlatTree, nextFrame } from '@platen/lib-page-functions';
import type { ElementFacts } from '../action.js';
import { holdsSecret } from './secrets.js';

/** The control that the element is, or that a label or a wrapper stands for; null if a wrapper has several, or none. */
export function findOnly(element: Element, test: (element: Element) => boolean): Element | null {
  if (test(element)) return element;
  const control = element.closest('label')?.control ?? null;
  if (control !== null && test(control)) return control;
  const [found, ...others] = new FlatTree().elements(element).filter(test);
  return found !== undefined && others.length === 0 ? found : null;
}

/** The control that a label or a wrapper stands for; null: the element itself. */
export function findCheckable(element: Element): Element | null {
  const selector =
    'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio]';
  const found = findOnly(element, (one) => one.matches(selector));
  return found === element ? null : found;
}

/** Undefined if it cannot be checked. */
export function readChecked(element: Element): { readonly checked: boolean | 'mixed'; readonly isRadio: boolean } | undefined {
  const isRadio = element.matches('input[type=radio], [role=radio], [role=menuitemradio]');
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type))
    return { checked: element.indeterminate ? 'mixed' : element.checked, isRadio };
  const role = element.getAttribute('role') ?? '';
  if (!['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return undefined;
  const value = element.getAttribute('aria-checked');
  return { checked: value === 'mixed' ? 'mixed' : value === 'true', isRadio };
}

/** The code editor around a hidden field, by which it gets its input. */
export function findEditor(element: Element): Element | null {
  const sideOf = (one: Element) => Math.min(one.getBoundingClientRect().width, one.getBoundingClientRect().height);
  const isHidden = sideOf(element) <= 3 || getComputedStyle(element).opacity === '0';
  if (!isHidden || !element.matches('textarea, [role=textbox]')) return null;
  return new FlatTree().ancestors(element).find((one) => sideOf(one) >= 20) ?? null;
}

/** What can be clicked in the place of a hidden control: its label, or its editor. */
export function findStandIn(element: Element): Element | null {
  const editor = findEditor(element);
  if (editor !== null) return editor;
  const { width, height } = element.getBoundingClientRect();
  const { visibility, clipPath } = getComputedStyle(element);
  const isShown = width > 2 && height > 2 && visibility === 'visible' && clipPath === 'none';
  return isShown || !(element instanceof HTMLInputElement) ? null : (element.labels?.[0] ?? null);
}

/** The state after at most a second: pages may set it by scripts. */
export async function waitForChecked(element: Element, { on }: { readonly on: boolean }): Promise<boolean | 'mixed'> {
  const read = () => {
    if (element instanceof HTMLInputElement) return element.indeterminate ? 'mixed' : element.checked;
    const value = element.getAttribute('aria-checked');
    return value === 'mixed' ? value : value === 'true';
  };
  const until = performance.now() + 1_000;
  while (element.isConnected && read() !== on && performance.now() < until) await nextFrame();
  // An element that was replaced cannot say.
  return element.isConnected ? read() : on;
}

export function findFileInput(element: Element): Element | null {
  return findOnly(element, (one) => one instanceof HTMLInputElement && one.type === 'file');
}

interface SentFile {
  readonly name: string;
  readonly type: string;
  readonly base64: string;
}

/** Returns why the input does not take them. */
export function setFiles(input: Element, files: readonly SentFile[]): string | undefined {
  if (!(input instanceof HTMLInputElement)) return 'does not take files';
  if (input.matches(':disabled')) return 'is disabled';
  if (files.length > 1 && !input.multiple) return 'takes only one file';
  const transfer = new DataTransfer();
  for (const { name, type, base64 } of files) {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    transfer.items.add(new File([bytes], name, { type }));
  }
  input.files = transfer.files;
  input.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  input.dispatchEvent(new Event('change', { bubbles: true }));
  return undefined;
}

/** Those that the element's own document knows. */
type OwnFacts = Omit<ElementFacts, 'role' | 'name' | 'frameUrls' | 'box'>;

export function readFacts(element: Element): OwnFacts {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement;
  const form = isField || element instanceof HTMLButtonElement ? element.form : element.closest('form');
  const isSubmit = (one: Element): one is HTMLButtonElement | HTMLInputElement =>
    (one instanceof HTMLButtonElement && one.type === 'submit') ||
    (one instanceof HTMLInputElement && ['submit', 'image'].includes(one.type));
  // Enter in a field presses the form's first button.
  const submitter = isSubmit(element)
    ? element
    : [...(form?.ownerDocument.querySelectorAll('button, input') ?? [])].find(
        (one): one is HTMLButtonElement | HTMLInputElement => isSubmit(one) && one.form === form,
      );
  const own = submitter?.hasAttribute('formaction') === true ? submitter.formAction : undefined;
  // A form may have a field named `action`.
  const action: unknown = form === null ? undefined : Object.getOwnPropertyDescriptor(HTMLFormElement.prototype, 'action')?.get?.call(form);
  const formAction = own ?? (typeof action === 'string' ? action : undefined);
  return {
    ...{ tag: element.localName, origin: self.origin },
    ...(element instanceof HTMLInputElement ? { inputType: element.type } : {}),
    ...(isField && element.autocomplete !== '' ? { autocomplete: element.autocomplete } : {}),
    ...('multiple' in element && element.multiple === true ? { multiple: true } : {}),
    ...(formAction === undefined ? {} : { formAction }),
    ...(holdsSecret(element) ? { holdsSecret: true } : {}),
  };
}
