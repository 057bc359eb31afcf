import { nextFrame } from '@platen/lib-page-functions';
import { findOnly, readFacts } from './controls.js';
import { noteSecret } from './secrets.js';

/** The field that a label or a wrapper stands for; null: the element itself. */
export function findField(element: Element): Element | null {
  const isField = (one: Element): boolean =>
    one.matches('input:not([type=hidden]), textarea, select') || (one instanceof HTMLElement && one.isContentEditable);
  const found = findOnly(element, isField);
  return found === element ? null : found;
}

export interface FieldKind {
  /** Why it cannot be filled. */
  readonly refusal?: string;
  /** Its value is picked, not typed. */
  readonly picked: boolean;
}

export function readKind(element: Element): FieldKind {
  const uses: Partial<Record<string, string>> = {
    ...{ checkbox: 'is a checkbox: use check', radio: 'is a radio button: use check', file: 'takes files: use upload' },
    ...{
      submit: 'is a button: use click',
      button: 'is a button: use click',
      reset: 'is a button: use click',
      image: 'is a button: use click',
    },
  };
  const picked = ['date', 'time', 'month', 'week', 'datetime-local', 'color', 'range', 'number'];
  if (element instanceof HTMLSelectElement) return { refusal: 'is a list: use select', picked: false };
  if (element instanceof HTMLInputElement) {
    const refusal = uses[element.type];
    return { ...(refusal === undefined ? {} : { refusal }), picked: picked.includes(element.type) };
  }
  const isField = element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable);
  return { ...(isField ? {} : { refusal: 'is not a field' }), picked: false };
}

export function isReadOnly(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return (isField && element.readOnly) || element.getAttribute('aria-readonly') === 'true';
}

/**
 * Sets a value as the browser's own picker does. Returns the format that the field
 * takes, if it does not take the value.
 */
export function setValue(element: Element, value: string): string | undefined {
  const formats: Partial<Record<string, string>> = {
    ...{ date: '2026-12-31', time: '23:59', month: '2026-12', week: '2026-W52', 'datetime-local': '2026-12-31T23:59', color: '#ff8800' },
    ...{ range: 'a number', number: 'a number' },
  };
  if (!(element instanceof HTMLInputElement)) return undefined;
  const before = element.value;
  const wanted = element.type === 'color' ? value.trim().toLowerCase() : value.trim();
  const isNumber = element.type === 'range' && !Number.isFinite(Number(wanted || 'none'));
  if (!isNumber) element.value = wanted;
  if (isNumber || (wanted !== '' && element.value === '') || (element.type === 'color' && element.value !== wanted)) {
    element.value = before;
    return formats[element.type] ?? 'another format';
  }
  element.focus({ preventScroll: true });
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return undefined;
}

export interface FieldValue {
  readonly text: string;
  readonly length: number;
}

/** Focuses the field and selects its content, which is returned. */
export function selectAll(element: Element): FieldValue {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element instanceof HTMLElement && !element.matches(':focus-within')) element.focus({ preventScroll: true });
  if (isField) element.select();
  else getSelection()?.selectAllChildren(element);
  const text = isField ? element.value : element.textContent.trim();
  return { text, length: text.length };
}

/** Pages may set the value anew in the next frame. */
export async function readValue(element: Element): Promise<FieldValue> {
  await nextFrame();
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const text = isField ? element.value : element.textContent.trim();
  return { text, length: text.length };
}

/** No screenshot shows the value. */
export function hideCharacters(element: Element): void {
  if (element instanceof HTMLElement) element.style.setProperty('-webkit-text-security', 'disc', 'important');
}

/** Without a pause between the check and the value. */
export function setSecret(element: Element, { value, expected }: { readonly value: string; readonly expected: string }): 'set' | 'changed' {
  if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return 'changed';
  element.focus({ preventScroll: true });
  element.select();
  const { inputType, origin, formAction } = readFacts(element);
  if (JSON.stringify([inputType, origin, formAction]) !== expected) return 'changed';
  noteSecret(element);
  const root = element.getRootNode();
  const isFocused = (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
  // Edits what has the focus in this document, with the events of input by a user.
  // oxlint-disable-next-line typescript/no-deprecated -- nothing else does so, and no browser will remove it
  if (isFocused && element.ownerDocument.execCommand('insertText', false, value)) return 'set';
  element.value = value;
  element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
  element.dispatchEvent(new Event('change', { bubbles: true }));
  return 'set';
}
