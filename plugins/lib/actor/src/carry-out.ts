import { setTimeout as delay } from 'node:timers/promises';
import { isPlatenError, untilAborted } from '@platen/kernel';
import type { RefTable } from '@platen/lib-view';
import { type Action, ActionError, type ElementFacts } from './action.js';
import type { Attempt } from './attempt.js';
import type { Clipboard } from './clipboard.js';
import { dragElement } from './drag.js';
import { describeElement, GoneError, openElement, type PageElement } from './element.js';
import { fillElement } from './fill.js';
import { findCheckable, findField, readChecked, waitForChecked } from './in-page/index.js';
import { insertText, parseKeys, pressKey } from './keyboard.js';
import { clickAt, moveTo } from './pointer.js';
import { reachElement, scrollIntoView } from './reach-element.js';
import { scrollPage } from './scroll.js';
import { selectOptions } from './select.js';
import { uploadFiles } from './upload.js';

/** Milliseconds. */
const MAX_WAIT = 10_000;
/** Milliseconds for which an element that the page keeps rendering anew is looked for again. */
const REPLACED_MS = 10_000;
/** It is gone if it is not there so many times in a row. */
const MAX_MISSES = 3;

/** An action within one tab. */
export type PageAction = Exclude<Action, { kind: 'tab' | 'dialog' }>;

export interface Tools {
  readonly refs: RefTable;
  readonly clipboard: Clipboard;
}

/** Carries out an action in the attempt's page. @throws ActionError if it cannot. */
export async function carryOut(action: PageAction, attempt: Attempt, { refs, clipboard }: Tools): Promise<void> {
  const on = (ref: string, work: (element: PageElement) => Promise<void>) => withElement(ref, { attempt, refs }, work);
  switch (action.kind) {
    case 'click':
      return on(action.ref, async (element) => {
        if (await element.call(isDropDown)) throw new ActionError(`${action.ref} is a list: use select`);
        const point = (attempt.noted.point = await reachElement(element, attempt));
        await clipboard.watch(element, () => clickAt(point, attempt, action));
      });
    case 'hover':
      return on(action.ref, async (element) => moveTo((attempt.noted.point = await reachElement(element, attempt)), attempt));
    case 'fill':
      return on(action.ref, (element) => fillElement(element, action, { attempt, describe: (field) => factsOf(field, refs) }));
    case 'type':
      return withFocus(action.ref, { attempt, refs }, async () => {
        for (const character of action.value.replaceAll('\r\n', '\n')) {
          const isKey = character in KEYS || character === ' ' || character.trim() !== '';
          await (isKey ? pressKey(parseKeys(KEYS[character] ?? character), attempt) : insertText(character, attempt));
        }
        if (action.submit === true) await pressKey(parseKeys('Enter'), attempt);
      });
    case 'select':
      return on(action.ref, (element) => selectOptions(element, action.values, attempt));
    case 'check':
      return on(action.ref, (element) => checkElement(element, action, attempt));
    case 'upload':
      return on(action.ref, (element) => uploadFiles(element, action.files, attempt));
    case 'scroll':
      if (action.ref === undefined) return scrollPage(undefined, action, attempt);
      return withElement(action.ref, { attempt, refs, stays: true }, (element) => scrollPage(element, action, attempt));
    case 'drag':
      return on(action.from, (from) => dragTo(from, action.to, { attempt, refs }));
    case 'press':
      return withFocus(action.ref, { attempt, refs }, () => clipboard.press(parseKeys(action.keys), attempt));
    case 'wait':
      attempt.begin();
      await delay(Math.min(MAX_WAIT, Math.max(0, action.ms)), undefined, { signal: attempt.signal });
      return;
    case 'goto':
      return gotoUrl(action.url, attempt);
    case 'back':
      return goBack(attempt);
  }
}

interface WithElement {
  readonly attempt: Attempt;
  readonly refs: RefTable;
  /** The element is not scrolled into view. */
  readonly stays?: boolean;
}

/** Describes the element and works with it, again if the page replaces it before it has noticed anything. */
async function withElement(
  ref: string,
  { attempt, refs, stays = false }: WithElement,
  work: (element: PageElement) => Promise<void>,
): Promise<void> {
  const until = performance.now() + REPLACED_MS;
  for (let misses = 0; ;) {
    let element: PageElement | undefined;
    try {
      element = await openElement(ref, attempt, refs);
      // The box is that of the element as it is used.
      if (!stays) await scrollIntoView(element, attempt);
      attempt.noted.element = await factsOf(element, refs);
      await work(element);
      return;
    } catch (error) {
      misses = element === undefined ? misses + 1 : 0;
      if (!(error instanceof GoneError) || attempt.hasBegun || misses === MAX_MISSES || performance.now() > until) throw error;
    }
  }
}

/** The facts of an opened element, with the role and name that the snapshot gave it. */
export function factsOf(element: PageElement, refs: RefTable): Promise<ElementFacts> {
  return describeElement(element, refs.find(element.ref) ?? { role: '', name: '' });
}

async function dragTo(from: PageElement, ref: string, { attempt, refs }: WithElement): Promise<void> {
  const to = await openElement(ref, attempt, refs);
  attempt.noted.to = await factsOf(to, refs);
  await dragElement(from, to, attempt);
}

/** Keys of characters that are no names of keys. */
const KEYS: Readonly<Record<string, string>> = { '\n': 'Enter', '\r': 'Enter', '\t': 'Tab' };

/** Works with the keyboard, where the focus is without a ref. */
async function withFocus(ref: string | undefined, parts: WithElement, work: () => Promise<void>): Promise<void> {
  const { attempt } = parts;
  if (ref === undefined) return work();
  return withElement(ref, parts, async (target) => {
    const element = (await target.call(focusElement)) ? target : ((await target.find(findField)) ?? target);
    if (!(await element.call(focusElement))) await clickAt((attempt.noted.point = await reachElement(element, attempt)), attempt);
    await work();
  });
}

/** Runs in the page; must not capture outer variables. */
function focusElement(element: Element): boolean {
  if (element.matches(':focus-within')) return true;
  if (element instanceof HTMLElement || element instanceof SVGElement) element.focus();
  return element.matches(':focus-within');
}

/** Runs in the page; must not capture outer variables. The browser draws its options, and no one could choose from them. */
function isDropDown(element: Element): boolean {
  return element instanceof HTMLSelectElement && !element.multiple && element.size <= 1;
}

interface CheckRequest {
  readonly on: boolean;
}

/** Checks or unchecks a checkbox, radio button or switch, by a click if it is not so already. @throws ActionError if it stays as it is. */
async function checkElement(target: PageElement, { on }: CheckRequest, attempt: Attempt): Promise<void> {
  const { ref } = target;
  const control = (await target.find(findCheckable)) ?? target;
  const before = await control.call(readChecked);
  if (before === undefined) throw new ActionError(`${ref} is not a checkbox, radio button or switch`);
  if (before.checked === on) return;
  if (before.isRadio && !on) throw new ActionError(`${ref} is a radio button: check another one instead`);
  const point = (attempt.noted.point = await reachElement(control, attempt));
  await clickAt(point, attempt);
  if ((await control.call(waitForChecked, { on })) !== on) throw new ActionError(`${ref} is still ${on ? 'not checked' : 'checked'}`);
}

/**
 * Opens a page, as a user who enters its URL; returns once its document is committed.
 *
 * @throws ActionError if it cannot be opened.
 */
async function gotoUrl(text: string, attempt: Attempt): Promise<void> {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new ActionError('the URL must be an absolute one of http or https');
  const { page, signal } = attempt;
  attempt.begin();
  try {
    await untilAborted(page.goto(url.href), signal);
  } catch (error) {
    // The server does not respond: the page stays as it is.
    if (signal.aborted) await page.send('Page.stopLoading').catch(() => undefined);
    if (!isPlatenError(error) || !/^(?:target_|not_in_archive$)/.test(error.code)) throw error;
    const { net_error: netError = error.message, download = false } = error.details.target ?? {};
    const why = error.code === 'target_blocked' ? error.message : netError;
    throw new ActionError(download ? 'the URL is a download, not a page' : `the page cannot be opened: ${why}`);
  }
}

/** Goes back in the history of the tab. @throws ActionError if there is nothing to go back to. */
async function goBack(attempt: Attempt): Promise<void> {
  const { page } = attempt;
  const { currentIndex, entries } = await attempt.send(page, 'Page.getNavigationHistory');
  const entry = entries[currentIndex - 1];
  // Every tab begins with an empty document.
  if (entry === undefined || (currentIndex === 1 && entry.url === 'about:blank')) throw new ActionError('there is no page to go back to');
  await attempt.input('Page.navigateToHistoryEntry', { entryId: entry.id });
}
