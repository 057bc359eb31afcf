import { ActionError, type Modifier } from './action.js';
import type { Attempt } from './attempt.js';

/** One key of a keyboard with the US layout. */
interface Key {
  /** `KeyboardEvent.key`. */
  readonly key: string;
  /** `KeyboardEvent.code`. */
  readonly code: string;
  /** `KeyboardEvent.keyCode`. */
  readonly keyCode: number;
  /** Characters that it types. */
  readonly text?: string;
}

/** Keys that are held, and the key that is pressed. */
export interface KeyCombination {
  readonly modifiers: readonly Modifier[];
  readonly key: Key;
}

/** `Input.dispatchKeyEvent` (DevTools protocol). */
export const MODIFIER_BITS: Readonly<Record<Modifier, number>> = { Alt: 1, Control: 2, Meta: 4, Shift: 8 };

const MODIFIER_KEYS: Readonly<Record<Modifier, Key>> = {
  Alt: { key: 'Alt', code: 'AltLeft', keyCode: 18 },
  Control: { key: 'Control', code: 'ControlLeft', keyCode: 17 },
  Meta: { key: 'Meta', code: 'MetaLeft', keyCode: 91 },
  Shift: { key: 'Shift', code: 'ShiftLeft', keyCode: 16 },
};

/** Names with `KeyboardEvent.keyCode`; their codes are the same. */
const NAMED: ReadonlyMap<string, number> = new Map(
  Object.entries({
    ...{ Backspace: 8, Tab: 9, Enter: 13, Pause: 19, CapsLock: 20, Escape: 27, PageUp: 33, PageDown: 34, End: 35, Home: 36 },
    ...{ ArrowLeft: 37, ArrowUp: 38, ArrowRight: 39, ArrowDown: 40, Insert: 45, Delete: 46, ContextMenu: 93 },
    ...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`F${String(index + 1)}`, 112 + index])),
  }),
);

/** What models and users also write, in lower case. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries({
    ...{ return: 'Enter', esc: 'Escape', del: 'Delete', ins: 'Insert', up: 'ArrowUp', down: 'ArrowDown', left: 'ArrowLeft' },
    ...{ right: 'ArrowRight', pgup: 'PageUp', pgdn: 'PageDown', space: ' ', spacebar: ' ', plus: '+' },
    ...{ ctrl: 'Control', cmd: 'Meta', command: 'Meta', option: 'Alt' },
  }),
);

/** Characters without and with Shift, code, `keyCode`. */
const PUNCTUATION: readonly (readonly [string, string, number])[] = [
  [' ', 'Space', 32],
  ...Array.from(')!@#$%^&*(', (shifted, digit) => [`${String(digit)}${shifted}`, `Digit${String(digit)}`, 48 + digit] as const),
  ...[[';:', 'Semicolon', 186] as const, ['=+', 'Equal', 187] as const, [',<', 'Comma', 188] as const, ['-_', 'Minus', 189] as const],
  ...[['.>', 'Period', 190] as const, ['/?', 'Slash', 191] as const, ['`~', 'Backquote', 192] as const],
  ...[
    ['[{', 'BracketLeft', 219] as const,
    ['\\|', 'Backslash', 220] as const,
    [']}', 'BracketRight', 221] as const,
    [`'"`, 'Quote', 222] as const,
  ],
];

/**
 * Reads `Enter`, `a`, `Control+Shift+K`, `Control++`.
 *
 * @throws ActionError if it is not one key with modifiers.
 */
export function parseKeys(text: string): KeyCombination {
  const parts = text.length > 1 && text.endsWith('+') ? [...text.slice(0, -2).split('+'), '+'] : text.split('+');
  const names = (text === '+' ? ['+'] : parts).map((part) => nameOf(part));
  const [last = '', ...before] = names.reverse();
  const modifiers = before.reverse().filter((name) => name !== '');
  const strange = modifiers.find((name) => !isModifier(name));
  const key = keyOf(last, { isShifted: modifiers.includes('Shift'), isHeld: modifiers.length > 0 });
  if (strange !== undefined || key === undefined) throw unknownKey(text);
  return { modifiers: modifiers.filter(isModifier), key };
}

/** What a combination does with the clipboard. */
export function clipboardUse({ modifiers, key }: KeyCombination): 'copy' | 'paste' | undefined {
  const isHeld = (...names: readonly string[]) => modifiers.some((name) => names.includes(name));
  const { code } = key;
  if (isHeld('Control', 'Meta')) {
    if (code === 'KeyC' || code === 'KeyX' || code === 'Insert') return 'copy';
    return code === 'KeyV' ? 'paste' : undefined;
  }
  if (!isHeld('Shift')) return undefined;
  return code === 'Delete' ? 'copy' : code === 'Insert' ? 'paste' : undefined;
}

function unknownKey(text: string): ActionError {
  const names = ['Enter', 'Tab', 'Escape', 'Backspace', 'ArrowDown', 'PageDown', 'Control+A'].join(', ');
  return new ActionError(`"${text.slice(0, 40)}" is not a key; keys are one character or a name, with modifiers: ${names}`);
}

function nameOf(part: string): string {
  const lower = part.trim().toLowerCase();
  const named = [...NAMED.keys(), ...Object.keys(MODIFIER_BITS)].find((name) => name.toLowerCase() === lower);
  return named ?? ALIASES.get(lower) ?? (part === ' ' ? part : part.trim());
}

function isModifier(name: string): name is Modifier {
  return Object.hasOwn(MODIFIER_BITS, name);
}

function keyOf(name: string, { isShifted, isHeld }: { readonly isShifted: boolean; readonly isHeld: boolean }): Key | undefined {
  if (isModifier(name)) return MODIFIER_KEYS[name];
  const keyCode = NAMED.get(name);
  if (keyCode !== undefined) return { key: name, code: name, keyCode, ...(name === 'Enter' ? { text: '\r' } : {}) };
  if (Array.from(name).length !== 1) return undefined;
  if (/^[a-z]$/i.test(name)) {
    const upper = name.toUpperCase();
    // `Control+K` is what a keyboard calls Control and `k`.
    const typed = isShifted ? upper : isHeld ? name.toLowerCase() : name;
    return { key: typed, code: `Key${upper}`, keyCode: upper.charCodeAt(0), text: typed };
  }
  const [pair = name, code = '', number = 0] = PUNCTUATION.find(([characters]) => characters.includes(name)) ?? [];
  const typed = isShifted ? (pair[1] ?? name) : name;
  return { key: typed, code, keyCode: number, text: typed };
}

/** A command that changes nothing and is always possible: the browser carries it out in place of a paste. */
const NOTHING = ['DefaultParagraphSeparator'];

/** Presses and releases a key where the focus is, with its modifiers held. Nothing is pasted: all renders share the browser's clipboard. */
export async function pressKey(combination: KeyCombination, attempt: Attempt): Promise<void> {
  const { modifiers, key } = combination;
  const commands = clipboardUse(combination) === 'paste' ? NOTHING : undefined;
  let held = 0;
  for (const modifier of modifiers) {
    held |= MODIFIER_BITS[modifier];
    await send('rawKeyDown', MODIFIER_KEYS[modifier], { held, attempt });
  }
  const types = key.text !== undefined && (held & ~MODIFIER_BITS.Shift) === 0;
  await send(types ? 'keyDown' : 'rawKeyDown', key, { held, attempt, commands });
  await send('keyUp', key, { held, attempt });
  for (const modifier of [...modifiers].reverse()) {
    held &= ~MODIFIER_BITS[modifier];
    await send('keyUp', MODIFIER_KEYS[modifier], { held, attempt });
  }
}

interface Sending {
  readonly held: number;
  readonly attempt: Attempt;
  /** Of the browser's editor, in place of the key's own. */
  readonly commands?: string[] | undefined;
}

async function send(
  type: 'keyDown' | 'rawKeyDown' | 'keyUp',
  { key, code, keyCode, text }: Key,
  { held, attempt, commands }: Sending,
): Promise<void> {
  await attempt.input('Input.dispatchKeyEvent', {
    ...{ type, key, code, windowsVirtualKeyCode: keyCode, modifiers: held },
    ...(type === 'keyDown' && text !== undefined ? { text } : {}),
    ...(commands === undefined ? {} : { commands }),
  });
}

/** Inserts text where the focus is, as an input method does. */
export async function insertText(text: string, attempt: Attempt): Promise<void> {
  await attempt.input('Input.insertText', { text });
}
