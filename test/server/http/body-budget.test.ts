import { describe, expect, it } from 'vitest';
import { createBodyBudget } from '../../../server/src/http/body-budget.js';

const KIB = 1024;
const MIB = 1024 * KIB;
const FULL = expect.objectContaining({ code: 'overloaded', details: { retry_after: 5 } });

describe('the memory for what clients send', () => {
  it('is one for all of them, and comes back', () => {
    const budget = createBodyBudget(100 * MIB);
    const [one, two] = [budget.open(), budget.open()];
    one.grow(8 * MIB);
    for (let others = 0; others < 11; others += 1) budget.open().grow(8 * MIB);
    expect(() => two.grow(8 * MIB)).toThrow(FULL);
    one.release();
    one.release();
    two.grow(8 * MIB);
    expect(() => budget.open().grow(8 * MIB)).toThrow(FULL);
  });

  it('takes nothing more of who has given back', () => {
    const budget = createBodyBudget(100 * MIB);
    const left = budget.open();
    left.release();
    left.grow(99 * MIB);
    expect(() => budget.open().grow(8 * MIB)).not.toThrow();
  });

  it('has room for small requests when it is full', () => {
    const budget = createBodyBudget(4 * MIB);
    budget.open().grow(4 * MIB + 64 * KIB);
    expect(() => budget.open().grow(64 * KIB + 1)).toThrow(FULL);
    expect(() => budget.open().grow(64 * KIB)).not.toThrow();
  });

  it('keeps a part for bodies without storage', () => {
    const budget = createBodyBudget(100 * MIB);
    budget.open().grow(36 * MIB);
    expect(() => budget.open().grow(9 * MIB)).toThrow(FULL);
    expect(() => budget.open().grow(8 * MIB)).not.toThrow();
  });

  it('refuses for good what never has room', () => {
    const share = createBodyBudget(100 * MIB).open();
    share.grow(9 * MIB);
    expect(() => share.grow(28 * MIB)).toThrow(expect.objectContaining({ code: 'payload_too_large' }));
    share.grow(26 * MIB);
  });

  it('holds two of the largest bodies on any host', () => {
    const budget = createBodyBudget();
    for (const share of [budget.open(), budget.open()]) share.grow(128 * MIB);
  });
});
