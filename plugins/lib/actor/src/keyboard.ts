import type { Attempt } from './attempt.js';
import { type Key, type KeyCombination, MODIFIER_BITS, MODIFIER_KEYS } from './keys.js';

/** Presses and releases a key where the focus is, with its modifiers held. */
export async function pressKey({ modifiers, key }: KeyCombination, attempt: Attempt): Promise<void> {
  let held = 0;
  for (const modifier of modifiers) {
    held |= MODIFIER_BITS[modifier];
    await send('rawKeyDown', MODIFIER_KEYS[modifier], { held, attempt });
  }
  const types = key.text !== undefined && (held & ~MODIFIER_BITS.Shift) === 0;
  await send(types ? 'keyDown' : 'rawKeyDown', key, { held, attempt });
  await send('keyUp', key, { held, attempt });
  for (const modifier of [...modifiers].reverse()) {
    held &= ~MODIFIER_BITS[modifier];
    await send('keyUp', MODIFIER_KEYS[modifier], { held, attempt });
  }
}

interface Sending {
  readonly held: number;
  readonly attempt: Attempt;
}

async function send(
  type: 'keyDown' | 'rawKeyDown' | 'keyUp',
  { key, code, keyCode, text }: Key,
  { held, attempt }: Sending,
): Promise<void> {
  await attempt.input('Input.dispatchKeyEvent', {
    ...{ type, key, code, windowsVirtualKeyCode: keyCode, modifiers: held },
    ...(type === 'keyDown' && text !== undefined ? { text } : {}),
  });
}

/** Inserts text where the focus is, as an input method does. */
export async function insertText(text: string, attempt: Attempt): Promise<void> {
  await attempt.input('Input.insertText', { text });
}
