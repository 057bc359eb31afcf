import { definePageFunction, FlatTree, nextFrame } from '@platen/lib-page-functions';
import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';
import type { PageElement } from './element.js';
import { clickAt } from './pointer.js';
import { reachElement } from './reach-element.js';

export interface CheckRequest {
  readonly on: boolean;
}

/** Checks or unchecks a checkbox, radio button or switch, by a click if it is not so already. @throws ActionError if it stays as it is. */
export async function checkElement(target: PageElement, { on }: CheckRequest, attempt: Attempt): Promise<void> {
  const { ref } = target;
  const control = (await target.find(findControl)) ?? target;
  const before = await control.call(readChecked);
  if (before === undefined) throw new ActionError(`${ref} is not a checkbox, radio button or switch`);
  if (before.checked === on) return;
  if (before.isRadio && !on) throw new ActionError(`${ref} is a radio button: check another one instead`);
  const clicked = (await control.find(findLabelOfHidden)) ?? control;
  const point = (attempt.noted.point = await reachElement(clicked, attempt));
  await clickAt(point, attempt);
  if ((await control.call(waitForChecked, { on })) !== on) throw new ActionError(`${ref} is still ${on ? 'not checked' : 'checked'}`);
}

/** Runs in the page; must not capture outer variables. The control that a label or a wrapper stands for; null: the element itself. */
const findControl = definePageFunction({ FlatTree }, (parts, element: Element): Element | null => {
  const selector =
    'input[type=checkbox], input[type=radio], [role=checkbox], [role=radio], [role=switch], [role=menuitemcheckbox], [role=menuitemradio]';
  if (element.matches(selector)) return null;
  const control = element.closest('label')?.control;
  if (control?.matches(selector) === true) return control;
  const inside = new parts.FlatTree().elements(element).filter((one) => one.matches(selector));
  return inside.length === 1 ? (inside[0] ?? null) : null;
});

/** Runs in the page; must not capture outer variables. Undefined if it cannot be checked. */
function readChecked(element: Element): { readonly checked: boolean | 'mixed'; readonly isRadio: boolean } | undefined {
  const isRadio = element.matches('input[type=radio], [role=radio], [role=menuitemradio]');
  if (element instanceof HTMLInputElement && ['checkbox', 'radio'].includes(element.type))
    return { checked: element.indeterminate ? 'mixed' : element.checked, isRadio };
  const role = element.getAttribute('role') ?? '';
  if (!['checkbox', 'radio', 'switch', 'menuitemcheckbox', 'menuitemradio'].includes(role)) return undefined;
  const value = element.getAttribute('aria-checked');
  return { checked: value === 'mixed' ? 'mixed' : value === 'true', isRadio };
}

/** Runs in the page; must not capture outer variables. The label, if the control itself is hidden and only its label can be clicked. */
function findLabelOfHidden(element: Element): Element | null {
  const { width, height } = element.getBoundingClientRect();
  const { visibility, clipPath } = getComputedStyle(element);
  const isShown = width > 2 && height > 2 && visibility === 'visible' && clipPath === 'none';
  return isShown || !(element instanceof HTMLInputElement) ? null : (element.labels?.[0] ?? null);
}

/** Runs in the page; must not capture outer variables. The state after at most a second: pages may set it by scripts. */
const waitForChecked = definePageFunction(
  { nextFrame },
  async (parts, element: Element, { on }: CheckRequest): Promise<boolean | 'mixed'> => {
    const read = () => {
      if (element instanceof HTMLInputElement) return element.indeterminate ? 'mixed' : element.checked;
      const value = element.getAttribute('aria-checked');
      return value === 'mixed' ? value : value === 'true';
    };
    const until = performance.now() + 1_000;
    while (element.isConnected && read() !== on && performance.now() < until) await parts.nextFrame();
    // An element that was replaced cannot say.
    return element.isConnected ? read() : on;
  },
);
