import { describe, expect, it } from 'vitest';
import { parseKeys } from '../../../../plugins/lib/actor/src/keyboard.js';

describe('parseKeys', () => {
  it.each([
    ['Enter', [], { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' }],
    ['enter', [], { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' }],
    ['Return', [], { key: 'Enter', code: 'Enter', keyCode: 13, text: '\r' }],
    ['Esc', [], { key: 'Escape', code: 'Escape', keyCode: 27 }],
    ['F5', [], { key: 'F5', code: 'F5', keyCode: 116 }],
    ['a', [], { key: 'a', code: 'KeyA', keyCode: 65, text: 'a' }],
    ['Shift+a', ['Shift'], { key: 'A', code: 'KeyA', keyCode: 65, text: 'A' }],
    ['Ctrl+Shift+K', ['Control', 'Shift'], { key: 'K', code: 'KeyK', keyCode: 75, text: 'K' }],
    ['Control + A', ['Control'], { key: 'a', code: 'KeyA', keyCode: 65, text: 'a' }],
    ['Cmd+Option+7', ['Meta', 'Alt'], { key: '7', code: 'Digit7', keyCode: 55, text: '7' }],
    ['Shift+1', ['Shift'], { key: '!', code: 'Digit1', keyCode: 49, text: '!' }],
    ['+', [], { key: '+', code: 'Equal', keyCode: 187, text: '+' }],
    ['Control++', ['Control'], { key: '+', code: 'Equal', keyCode: 187, text: '+' }],
    [' ', [], { key: ' ', code: 'Space', keyCode: 32, text: ' ' }],
    ['Space', [], { key: ' ', code: 'Space', keyCode: 32, text: ' ' }],
    ['ü', [], { key: 'ü', code: '', keyCode: 0, text: 'ü' }],
    ['Shift', [], { key: 'Shift', code: 'ShiftLeft', keyCode: 16 }],
  ])('%s', (text, modifiers, key) => {
    expect(parseKeys(text)).toEqual({ modifiers, key });
  });

  it.each(['', 'Hello', 'Control+', 'Foo+A', 'constructor', 'F13'])('refuses "%s"', (text) => {
    expect(() => parseKeys(text)).toThrow(`"${text}" is not a key`);
  });
});
