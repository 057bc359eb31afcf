import { createRefTable } from '@platen/lib-view';
import type { ModelAction } from '@platen/plugin-navigate/keys';
import { expect, it } from 'vitest';
import { describeAction } from '../../../../plugins/navigator/navigator-video/src/record-session.js';

const refs = createRefTable();
const at = (backendDOMNodeId: number) => ({ targetId: 't', frameId: 'f', backendDOMNodeId });
refs.refOf(at(1), { role: 'button', name: 'Sign in' });
refs.refOf(at(2), { role: 'textbox', name: 'password' });
refs.refOf(at(3), { role: 'generic', name: '' });
const redact = (text: string) => text.replaceAll('hunter22', '***');

it.each<readonly [ModelAction, string]>([
  [{ kind: 'click', ref: 'e1' }, 'clicks button "Sign in"'],
  [{ kind: 'click', ref: 'e1', why: ' to sign\n in ' }, 'to sign in'],
  [{ kind: 'click', ref: 'e1', why: 'with hunter22' }, 'with ***'],
  [{ kind: 'click', ref: 'e9' }, 'clicks element'],
  [{ kind: 'hover', ref: 'e3' }, 'points at generic'],
  [{ kind: 'fill', ref: 'e2', value: 'credential:PIN' }, 'fills textbox "password" with the credential PIN'],
  [{ kind: 'fill', ref: 'e2', value: 'data:city' }, 'fills textbox "password" with city'],
  [{ kind: 'fill', ref: 'e2', value: 'write:a poem' }, 'fills textbox "password" with a text'],
  [{ kind: 'fill', ref: 'e2', value: 'my hunter22' }, 'fills textbox "password" with "my ***"'],
  [{ kind: 'select', ref: 'e1', values: ['A', 'data:b'] }, 'selects "A", b in button "Sign in"'],
  [{ kind: 'check', ref: 'e1', on: false }, 'unchecks button "Sign in"'],
  [{ kind: 'press', keys: 'Control+A' }, 'presses Control+A'],
  [{ kind: 'scroll', dir: 'down' }, 'scrolls down'],
  [{ kind: 'drag', from: 'e1', to: 'e3' }, 'drags button "Sign in" to generic'],
  [{ kind: 'upload', ref: 'e1', files: ['a.pdf', 'b.pdf'] }, 'attaches a.pdf, b.pdf to button "Sign in"'],
  [{ kind: 'wait', ms: 100 }, 'waits'],
  [{ kind: 'goto', url: 'https://a.example/' }, 'opens https://a.example/'],
  [{ kind: 'back' }, 'goes back'],
  [{ kind: 'tab', tab: 't2' }, 'changes to another tab'],
  [{ kind: 'tab', tab: 't2', close: true }, 'closes a tab'],
  [{ kind: 'dialog', accept: false }, 'dismisses the dialog'],
  [{ kind: 'done', answer: '', success: true }, ''],
  [{ kind: 'back', why: '\u{1F600}'.repeat(200) }, `${'\u{1F600}'.repeat(159)}…`],
])('%j', (action, caption) => {
  expect(describeAction({ action, refs }, redact)).toBe(caption);
});
