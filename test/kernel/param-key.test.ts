import { type ParamKey, paramKey, readParam } from '@platen/kernel';
import { expect, expectTypeOf, it } from 'vitest';

interface WaitParams {
  readonly wait_for?: string;
  readonly wait_seconds?: number;
}

it('a parameter of another plugin is read by its key, with the type that its owner declares', () => {
  const key = paramKey<WaitParams, 'wait_for'>('wait_for');
  expectTypeOf(key).toEqualTypeOf<ParamKey<string | undefined>>();
  expectTypeOf(readParam({}, key)).toEqualTypeOf<string | undefined>();
  expect(readParam({ wait_for: 'load' }, key)).toBe('load');
  expect(readParam({ width: 3 }, key)).toBeUndefined();
});
