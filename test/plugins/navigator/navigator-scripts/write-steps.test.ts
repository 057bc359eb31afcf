import { expect, it } from 'vitest';
import { parseSteps } from '../../../../plugins/page/steps/src/parse-steps.js';
import type { StepsParams } from '../../../../plugins/page/steps/src/params.js';
import { type Action, record, state, target, writeList } from './recorded.js';

const GO = 'role=button[name="Go"]';
const DROP = '[data-testid="drop"]';

it.each<readonly [Action, readonly object[]]>([
  [
    { kind: 'click', ref: 'e1', button: 'right', count: 2, modifiers: ['Shift'] },
    [{ click: GO, button: 'right', count: 2, modifiers: ['Shift'] }],
  ],
  [{ kind: 'hover', ref: 'e1' }, [{ hover: GO }]],
  [
    { kind: 'fill', ref: 'e1', value: 'a', submit: true },
    [
      { fill: GO, value: 'a' },
      { press: 'Enter', at: GO },
    ],
  ],
  [{ kind: 'fill', ref: 'e1', value: 'credential:pin' }, [{ fill: GO, value: { credential: 'pin' } }]],
  [{ kind: 'fill', ref: 'e1', value: 'data:city' }, [{ fill: GO, value: 'Paris' }]],
  [{ kind: 'type', value: 'a' }, [{ type: 'a' }]],
  [{ kind: 'fill', ref: 'e1', value: 'data:data:x ' }, [{ fill: GO, value: 'data:x ' }]],
  [
    { kind: 'type', ref: 'e1', value: 'a', submit: true },
    [
      { type: 'a', at: GO },
      { press: 'Enter', at: GO },
    ],
  ],
  [{ kind: 'type', ref: 'e1', value: 'a\tb', submit: true }, [{ type: 'a\tb', at: GO }, { press: 'Enter' }]],
  [{ kind: 'type', ref: 'e1', value: '' }, [{ type: '', at: GO }]],
  [{ kind: 'select', ref: 'e1', values: ['a'] }, [{ select: GO, value: 'a' }]],
  [{ kind: 'select', ref: 'e1', values: ['a', 'b'] }, [{ select: GO, value: ['a', 'b'] }]],
  [{ kind: 'check', ref: 'e1', on: true }, [{ check: GO }]],
  [{ kind: 'check', ref: 'e1', on: false }, [{ uncheck: GO }]],
  [{ kind: 'press', keys: 'Control+A' }, [{ press: 'Control+A' }]],
  [{ kind: 'press', keys: 'Enter', ref: 'e1' }, [{ press: 'Enter', at: GO }]],
  [{ kind: 'scroll', dir: 'down' }, [{ scroll: 'html', dir: 'down' }]],
  [{ kind: 'scroll', dir: 'left', amount: 20, ref: 'e2' }, [{ scroll: DROP, dir: 'left', amount: 20 }]],
  [{ kind: 'drag', from: 'e1', to: 'e2' }, [{ drag: GO, to: DROP }]],
  [{ kind: 'upload', ref: 'e1', files: ['a'] }, [{ attach: GO, file: 'a' }]],
  [{ kind: 'upload', ref: 'e1', files: ['a', 'b'] }, [{ attach: GO, file: ['a', 'b'] }]],
  [{ kind: 'wait', ms: 1500 }, [{ wait: 1.5 }]],
  [{ kind: 'goto', url: '/b' }, [{ goto: 'http://site/b' }]],
  [{ kind: 'back' }, [{ back: true }]],
  [{ kind: 'tab', tab: 't2', close: true }, [{ tab: 2, close: true }]],
])('%j has its step, which the parameter takes', (action, expected) => {
  const steps = writeList([record(action)], { data: { city: 'Paris' } });
  expect(steps).toEqual([...expected, ...(action.kind === 'tab' ? [{ tab: 1 }] : [])]);
  const refuse = (_: string, detail: string): never => {
    throw new Error(detail);
  };
  // By the schema of the parameter, of these types.
  expect(parseSteps({ steps: steps as NonNullable<StepsParams['steps']> }, refuse)).toHaveLength((steps as readonly unknown[]).length);
});

it.each<Action>([
  { kind: 'type', ref: 'e3', value: 'a', submit: true },
  { kind: 'press', ref: 'e3', keys: 'a' },
  { kind: 'fill', ref: 'e3', value: 'a', submit: true },
  { kind: 'scroll', ref: 'e3', dir: 'down' },
])('%j has none, where its element is unknown: elsewhere it would be another action', (action) => {
  expect(writeList([record(action)])).toEqual([]);
});

it('has answers of dialogs after their action, changes of tabs before theirs, and the tab in the end', () => {
  const steps = writeList(
    [
      record({ kind: 'click', ref: 'e1' }, { opened: ['t2'] }),
      record({ kind: 'dialog', accept: true, text: 'Ada' }),
      record({ kind: 'click', ref: 'e2' }, { tab: 't1' }),
    ],
    { end: { tab: 't2', url: 'http://site/end' } },
  );
  expect(steps).toEqual([{ click: GO }, { dialog: 'accept', text: 'Ada' }, { tab: 1 }, { click: DROP }, { tab: 2 }]);
});

it('finds an element through frames and shadow trees', () => {
  const css = { by: 'css', parts: ['x-a', ':host > b'] } as const;
  const inner = target({
    locators: [css],
    shadow: 'open',
    frames: [{ locators: [{ by: 'attribute', name: 'name', value: 'a"b' }], shadow: 'none' }],
  });
  const split = target({
    locators: [
      { by: 'role', role: 'link', name: 'a >>> b' },
      { by: 'css', parts: ['#c'] },
    ],
  });
  const targets = new Map([
    ['e1', inner],
    ['e2', split],
  ]);
  const steps = writeList([record({ kind: 'hover', ref: 'e1' }, { targets }), record({ kind: 'hover', ref: 'e2' }, { targets })]);
  expect(steps).toEqual([{ hover: '[name="a\\"b"] >>> x-a >>> :host > b' }, { hover: '#c' }]);
});

it('has no credentials', () => {
  const steps = writeList(
    [
      record({ kind: 'fill', ref: 'e1', value: 'write:a line' }, { written: 'of hunter22' }),
      record({ kind: 'goto', url: '/?pin=hunter22' }, { before: state('http://site/') }),
    ],
    { secrets: ['hunter22'] },
  );
  expect(steps).toEqual([{ fill: GO, value: 'of ***' }, { goto: 'http://site/?pin=***' }]);
});
