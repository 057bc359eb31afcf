import { ActionError, type Action, type ElementFacts, type Secret } from './action.js';
import type { Attempt } from './attempt.js';
import type { PageElement } from './element.js';
import { findEditor, findField, hideCharacters, isReadOnly, readKind, readValue, selectAll, setSecret, setValue } from './in-page/index.js';
import { insertText, parseKeys, pressKey } from './keyboard.js';
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

async function typeValue(element: PageElement, { value }: Fill, attempt: Attempt): Promise<void> {
  const { ref } = element;
  if ((await element.find(findEditor)) !== undefined) {
    // Its field has only a part of the text.
    await pressKey(parseKeys('Control+A'), attempt);
    await (value === '' ? pressKey(parseKeys('Delete'), attempt) : insertText(value, attempt));
    return;
  }
  const before = await element.call(selectAll);
  if (value !== '') await insertText(value, attempt);
  else if (before.length > 0) await pressKey(parseKeys('Delete'), attempt);
  const after = await element.call(readValue);
  // A page may format or cut a value: only a field that ignores it is an error.
  if (value === '' && after.length > 0) throw new ActionError(`${ref} could not be emptied`);
  if (value !== '' && after.length === 0) throw new ActionError(`${ref} is still empty: it does not take this value`);
  if (value !== '' && after.text === before.text && after.text !== value) throw new ActionError(`${ref} still has its old value`);
}
