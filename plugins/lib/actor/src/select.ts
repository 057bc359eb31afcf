import { ActionError } from './action.js';
import type { Attempt } from './attempt.js';
import { quotable } from './describe-cover.js';
import type { PageElement } from './element.js';
import {
  findOption,
  findSelect,
  isListClosed,
  isListOpen,
  isOptionSelected,
  listOptions,
  selectTyped,
  setSelected,
} from './in-page/index.js';
import type { Failure } from './in-page/select.js';
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
  if (!(await target.call(isListOpen))) await clickAt(point, attempt);
  for (const [index, value] of values.entries()) {
    // A list may close with each choice.
    if (index > 0 && (await target.call(isListClosed))) await clickAt(await reachElement(target, attempt), attempt);
    await clickOption(target, value, attempt);
  }
}

/** An option of a list that the page made of other elements. */
async function clickOption(target: PageElement, value: string, attempt: Attempt): Promise<void> {
  let option = await target.find(findOption, { value, waitMs: 500 });
  // A field shows the options that match what is typed.
  if (option === undefined && (await target.call(selectTyped))) await insertText(value, attempt);
  option ??= await target.find(findOption, { value, waitMs: waitMs(attempt) });
  if (option === undefined) throw failureOf(target, { missing: value, labels: await target.call(listOptions) });
  if (await option.call(isOptionSelected)) return;
  await clickAt(await reachElement(option, attempt), attempt);
}

function waitMs(attempt: Attempt): number {
  return Math.min(OPTIONS_MS, attempt.leftMs() / 2);
}

function failureOf({ ref }: PageElement, { missing, labels = [], reason = 'is not a list of options' }: Failure): ActionError {
  if (missing === undefined) return new ActionError(`${ref} ${reason}`);
  if (labels.length === 0) return new ActionError(`${ref} has no option "${quotable(missing)}"; it shows none`);
  const listed = labels.slice(0, MAX_LISTED).map((label) => `"${quotable(label)}"`);
  const more = labels.length > MAX_LISTED ? ` and ${String(labels.length - MAX_LISTED)} more` : '';
  return new ActionError(`${ref} has no option "${quotable(missing)}"; it has: ${listed.join(', ')}${more}`);
}
