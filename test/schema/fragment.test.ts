import { createFlagValidator, type Fragments, type InferParams } from '@platen/schema';
import { describe, expect, expectTypeOf, it } from 'vitest';

const PARAMS = {
  text: { type: 'string' },
  count: { type: 'integer', format: 'uint32' },
  scale: { type: 'number' },
  flag: { type: 'boolean' },
  list: { type: 'array', items: { type: 'string' } },
  lists: { type: 'array', items: { type: 'array', items: { type: 'number' } } },
  map: { type: 'object', additionalProperties: { type: 'string' } },
  open: { type: 'object' },
  format: { type: 'string', enum: ['common', 'gfm'] },
  mixed: { type: ['string', 'boolean'], enum: ['json', true, false] },
  storage: { type: ['object', 'boolean'] },
  any: {},
} as const satisfies Fragments;

type Params = InferParams<typeof PARAMS>;

describe('InferParams', () => {
  it('gives each key the type of its fragment', () => {
    expectTypeOf<Params>().toEqualTypeOf<{
      readonly text?: string;
      readonly count?: number;
      readonly scale?: number;
      readonly flag?: boolean;
      readonly list?: readonly string[];
      readonly lists?: readonly (readonly number[])[];
      readonly map?: Readonly<Record<string, string>>;
      readonly open?: Readonly<Record<string, unknown>>;
      readonly format?: 'common' | 'gfm';
      readonly mixed?: 'json' | boolean;
      readonly storage?: boolean | Readonly<Record<string, unknown>>;
      readonly any?: unknown;
    }>();
  });

  it('knows no other key and no null', () => {
    expectTypeOf<keyof Params>().not.toEqualTypeOf<string>();
    expectTypeOf<null>().not.toExtend<Params['text']>();
  });

  it('is what a validated object has', () => {
    const params = createFlagValidator(PARAMS)({ count: 2, format: 'gfm', storage: {} });
    expectTypeOf(params).toEqualTypeOf<Params>();
    expect(params).toEqual({ count: 2, format: 'gfm', storage: {} });
  });
});
