import type { Page } from '@platen/kernel';
import { nextFrame } from '@platen/lib-page-functions';
import type { Action, Modifier, Point } from './action.js';
import type { Attempt } from './attempt.js';
import { MODIFIER_BITS } from './keyboard.js';

export type ClickOptions = Pick<Extract<Action, { kind: 'click' }>, 'button' | 'count' | 'modifiers'>;

/** `MouseEvent.buttons` (UI Events). */
const BUTTON_BITS = { left: 1, right: 2, middle: 4 } as const;

/** Moves the mouse there: pages react to its way, not only to a click. */
export async function moveTo(point: Point, attempt: Attempt): Promise<void> {
  await attempt.input('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point });
}

/** Clicks, or taps on a touch device, at a point of the page's viewport. */
export async function clickAt(point: Point, attempt: Attempt, options: ClickOptions = {}): Promise<void> {
  const { button = 'left', count = 1, modifiers = [] } = options;
  const held = modifierBits(modifiers);
  if (isTouch(attempt.page) && button === 'left') {
    for (let taps = 0; taps < count; taps += 1) await tapAt(point, attempt, held);
    return;
  }
  await attempt.input('Input.dispatchMouseEvent', { type: 'mouseMoved', ...point, modifiers: held });
  for (let clickCount = 1; clickCount <= count; clickCount += 1) {
    const common = { ...point, button, clickCount, modifiers: held };
    await attempt.input('Input.dispatchMouseEvent', { type: 'mousePressed', buttons: BUTTON_BITS[button], ...common });
    await attempt.input('Input.dispatchMouseEvent', { type: 'mouseReleased', buttons: 0, ...common });
  }
}

/** The browser turns a touch into a click after it has responded. */
async function tapAt(point: Point, attempt: Attempt, modifiers: number): Promise<void> {
  await attempt.input('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [point], modifiers });
  await attempt.input('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [], modifiers });
  await attempt.page.evaluate(nextFrame);
}

function isTouch({ profile: { touchPoints, mobile } }: Page): boolean {
  return touchPoints > 0 && mobile;
}

function modifierBits(modifiers: readonly Modifier[]): number {
  return modifiers.reduce((bits, modifier) => bits | MODIFIER_BITS[modifier], 0);
}
