import { FlatTree, definePageFunction, nextFrame } from '@platen/lib-page-functions';
import { ActionError, type Action, type ElementFacts, type Secret } from './action.js';
import type { Attempt } from './attempt.js';
import { readFacts } from './describe-element.js';
import type { PageElement } from './element.js';
import { insertText, pressKey } from './keyboard.js';
import { parseKeys } from './keys.js';
import { clickAt } from './pointer.js';
import { reachElement } from './reach-element.js';

type Fill = Pick<Extract<Action, { kind: 'fill' }>, 'value' | 'submit' | 'secret'>;

/** The facts of a field. */
type Describe = (field: PageElement) => Promise<ElementFacts>;

export interface FillParts {
  readonly attempt: Attempt;
  readonly describe: Describe;
}

/** Replaces the value of a field. @throws ActionError if the field does not take it; the value is never part of the message. */
export async function fillElement(target: PageElement, fill: Fill, { attempt, describe }: FillParts): Promise<void> {
  const { ref } = target;
  const element = (await target.find(findField)) ?? target;
  const kind = await element.call(readKind);
  if (kind.refusal !== undefined) throw new ActionError(`${ref} ${kind.refusal}`);
  const point = (attempt.noted.point = await reachElement(element, attempt));
  if (await element.call(isReadOnly)) throw new ActionError(`${ref} is read-only`);
  attempt.begin();
  const { secret } = fill;
  if (secret !== undefined) await element.call(hideCharacters);
  if (secret !== undefined) {
    await clickAt(point, attempt);
    await insertSecret(element, { value: fill.value, secret, describe });
  } else if (kind.picked) {
    const format = await element.call(setValue, fill.value);
    if (format !== undefined) throw new ActionError(`${ref} does not take this value; it takes ${format}`);
  } else {
    await clickAt(point, attempt);
    await typeValue(element, fill, attempt);
  }
  if (fill.submit !== true) return;
  secret?.accept(await describe(element));
  await pressKey(parseKeys('Enter'), attempt);
}

interface SecretValue {
  readonly value: string;
  readonly secret: Secret;
  readonly describe: Describe;
}

/** Keys would go to another site's frame if that takes the focus meanwhile, and the page may have changed the field since it was clicked. */
async function insertSecret(element: PageElement, { value, secret, describe }: SecretValue): Promise<void> {
  const { ref } = element;
  const { inputType, origin, formAction } = await describe(element).then((facts) => {
    secret.accept(facts);
    return facts;
  });
  const result = await element.call(setSecret, { value, expected: JSON.stringify([inputType, origin, formAction]) });
  if (result === 'changed') throw new ActionError(`${ref} was changed by the page`);
  const { length } = await element.call(readValue);
  if (value.length > 0 && length === 0) throw new ActionError(`${ref} is still empty: it does not take this value`);
}

/** Runs in the page; must not capture outer variables. Without a pause between the check and the value. */
const setSecret = definePageFunction(
  { readFacts },
  (parts, element: Element, { value, expected }: { readonly value: string; readonly expected: string }): 'set' | 'changed' => {
    if (!(element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)) return 'changed';
    element.focus({ preventScroll: true });
    element.select();
    const { inputType, origin, formAction } = parts.readFacts(element);
    if (JSON.stringify([inputType, origin, formAction]) !== expected) return 'changed';
    const root = element.getRootNode();
    const isFocused = (root instanceof Document || root instanceof ShadowRoot) && root.activeElement === element;
    // Edits what has the focus in this document, with the events of input by a user.
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else does so, and no browser will remove it
    if (isFocused && element.ownerDocument.execCommand('insertText', false, value)) return 'set';
    element.value = value;
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }));
    element.dispatchEvent(new Event('change', { bubbles: true }));
    return 'set';
  },
);

async function typeValue(element: PageElement, { value }: Fill, attempt: Attempt): Promise<void> {
  const { ref } = element;
  const before = await element.call(selectAll);
  if (value !== '') await insertText(value, attempt);
  else if (before.length > 0) await pressKey(parseKeys('Delete'), attempt);
  const after = await element.call(readValue);
  // A page may format or cut a value: only a field that ignores it is an error.
  if (value === '' && after.length > 0) throw new ActionError(`${ref} could not be emptied`);
  if (value !== '' && after.length === 0) throw new ActionError(`${ref} is still empty: it does not take this value`);
  if (value !== '' && after.text === before.text && after.text !== value) throw new ActionError(`${ref} still has its old value`);
}

/** Runs in the page; must not capture outer variables. The field that a label or a wrapper stands for; null: the element itself. */
const findField = definePageFunction({ FlatTree }, (parts, element: Element): Element | null => {
  const isField = (one: Element | null): boolean =>
    one !== null && (one.matches('input:not([type=hidden]), textarea, select') || (one instanceof HTMLElement && one.isContentEditable));
  if (isField(element)) return null;
  const label = element.closest('label');
  if (label !== null && isField(label.control)) return label.control;
  const inside = new parts.FlatTree().elements(element).filter(isField);
  return inside.length === 1 ? (inside[0] ?? null) : null;
});

interface FieldKind {
  /** Why it cannot be filled. */
  readonly refusal?: string;
  /** Its value is picked, not typed. */
  readonly picked: boolean;
}

/** Runs in the page; must not capture outer variables. */
function readKind(element: Element): FieldKind {
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

/** Runs in the page; must not capture outer variables. */
function isReadOnly(element: Element): boolean {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  return (isField && element.readOnly) || element.getAttribute('aria-readonly') === 'true';
}

/**
 * Runs in the page; must not capture outer variables. Sets a value as the browser's own picker does. Returns the format that the field
 * takes, if it does not take the value.
 */
function setValue(element: Element, value: string): string | undefined {
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

interface FieldValue {
  readonly text: string;
  readonly length: number;
}

/** Runs in the page; must not capture outer variables. Focuses the field and selects its content, which is returned. */
function selectAll(element: Element): FieldValue {
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  if (element instanceof HTMLElement && !element.matches(':focus-within')) element.focus({ preventScroll: true });
  if (isField) element.select();
  else getSelection()?.selectAllChildren(element);
  const text = isField ? element.value : element.textContent.trim();
  return { text, length: text.length };
}

/** Runs in the page; must not capture outer variables. Pages may set the value anew in the next frame. */
const readValue = definePageFunction({ nextFrame }, async (parts, element: Element): Promise<FieldValue> => {
  await parts.nextFrame();
  const isField = element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement;
  const text = isField ? element.value : element.textContent.trim();
  return { text, length: text.length };
});

/** Runs in the page; must not capture outer variables. No screenshot shows the value. */
function hideCharacters(element: Element): void {
  if (element instanceof HTMLElement) element.style.setProperty('-webkit-text-security', 'disc', 'important');
}
