import { describe, expect, it } from 'vitest';
import { answerSchema, describeAction, readActions } from '../../../../plugins/navigator/navigate/src/answer.js';
import { createTurns } from '../../../../plugins/navigator/navigate/src/turns.js';

const model = (name: string) => ({ name }) as never;

function turns(escalationMax = 1, others: readonly string[] = ['b', 'c']) {
  const made = createTurns({ first: model('a'), others: others.map(model), writer: undefined }, escalationMax);
  return { made, name: () => made.current.name };
}

describe('turns', () => {
  it('a navigator that was escalated to acts once, then the first continues', () => {
    const { made, name } = turns();
    expect([made.others, made.escalate('b', '/1'), name(), made.others]).toEqual([['b', 'c'], true, 'b', ['c']]);
    expect([made.acted('/1'), name()]).toEqual([true, 'a']);
  });

  it('acts several times, until it leaves the page', () => {
    const { made, name } = turns(3);
    made.escalate('b', '/1');
    expect([made.acted('/1'), name(), made.acted('/2'), name()]).toEqual([false, 'b', true, 'a']);
  });

  it('cannot escalate to an unknown navigator, or to itself', () => {
    const { made } = turns();
    expect([made.escalate('x', '/'), made.escalate('a', '/')]).toEqual([false, false]);
  });

  it('one that fails is not asked again', () => {
    const { made, name } = turns();
    expect([made.drop(), name(), made.drop(), name(), made.drop()]).toEqual([true, 'b', true, 'c', false]);
  });

  it('a failed guest gives the turn back', () => {
    const { made, name } = turns();
    made.escalate('b', '/');
    expect([made.drop(), name(), made.others, made.next()?.name]).toEqual([true, 'a', ['c'], 'c']);
  });
});

describe('answers', () => {
  const kindsOf = (choices: Parameters<typeof answerSchema>[0]) => JSON.stringify(answerSchema(choices));

  it('offers what can be chosen', () => {
    expect(kindsOf({ endOnly: true, hasFiles: true, navigators: ['b'] })).toContain('"enum":["done","fail"]');
    expect(kindsOf({ endOnly: false, hasFiles: false, navigators: [] })).not.toMatch(/"upload"|"escalate"/);
    expect(kindsOf({ endOnly: false, hasFiles: true, navigators: ['b'] })).toMatch(/"upload".*"escalate"/);
    expect(answerSchema({ endOnly: false, hasFiles: false, navigators: [] })).toBe(
      answerSchema({ endOnly: false, hasFiles: false, navigators: [] }),
    );
  });

  it.each([
    [{ kind: 'click' }, '"click" needs "ref"'],
    [{ kind: 'fill', ref: 'e1' }, '"fill" needs "value"'],
    [{ kind: 'done', answer: 'x', success: null }, '"done" needs "success"'],
  ])('%j is not complete', (action, problem) => {
    expect(readActions({ actions: [{ kind: 'back' }, action] })).toBe(problem);
  });

  it.each([
    ['[ref=e3]', 'e3'],
    ['ref=e3', 'e3'],
    ['[e3]', 'e3'],
    ['E3', 'e3'],
    ['link "e5" [ref=e3]', 'e3'],
    ['the e3', 'the e3'],
  ])('may write a ref as %s', (given, ref) => {
    expect(readActions({ actions: [{ kind: 'click', ref: given }] })).toEqual([{ kind: 'click', ref }]);
    expect(readActions({ actions: [{ kind: 'drag', from: given, to: given }] })).toEqual([{ kind: 'drag', from: ref, to: ref }]);
    expect(readActions({ actions: [{ kind: 'escalate', to: given, reason: 'x' }] })).toMatchObject([{ to: given }]);
  });

  it('may call the value of "type" its text', () => {
    expect(readActions({ actions: [{ kind: 'type', text: '4711' }] })).toEqual([{ kind: 'type', value: '4711' }]);
  });

  it('are described in one line', () => {
    expect(describeAction({ kind: 'fill', ref: 'e1', value: 'credential:password', submit: true, why: 'x' })).toBe(
      'fill e1 "credential:password" true',
    );
    expect(describeAction({ kind: 'scroll', dir: 'down', amount: 300 })).toBe('scroll "down" 300');
  });
});
