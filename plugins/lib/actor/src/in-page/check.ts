import { nextFrame } from '@platen/lib-page-functions';
import { findOnly } from './find-only.js';

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

/** The label, if the control itself is hidden and only its label can be clicked. */
export function findLabelOfHidden(element: Element): Element | null {
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
