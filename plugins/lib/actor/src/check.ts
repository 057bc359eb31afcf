import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';
import type { PageElement } from './element.js';
import { findCheckable, findLabelOfHidden, readChecked, waitForChecked } from './in-page/index.js';
import { clickAt } from './pointer.js';
import { reachElement } from './reach-element.js';

export interface CheckRequest {
  readonly on: boolean;
}

/** Checks or unchecks a checkbox, radio button or switch, by a click if it is not so already. @throws ActionError if it stays as it is. */
export async function checkElement(target: PageElement, { on }: CheckRequest, attempt: Attempt): Promise<void> {
  const { ref } = target;
  const control = (await target.find(findCheckable)) ?? target;
  const before = await control.call(readChecked);
  if (before === undefined) throw new ActionError(`${ref} is not a checkbox, radio button or switch`);
  if (before.checked === on) return;
  if (before.isRadio && !on) throw new ActionError(`${ref} is a radio button: check another one instead`);
  const clicked = (await control.find(findLabelOfHidden)) ?? control;
  const point = (attempt.noted.point = await reachElement(clicked, attempt));
  await clickAt(point, attempt);
  if ((await control.call(waitForChecked, { on })) !== on) throw new ActionError(`${ref} is still ${on ? 'not checked' : 'checked'}`);
}
