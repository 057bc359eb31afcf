import modals from '@platen/plugin-modals';
import png from '@platen/plugin-png';
import pixels from '@platen/plugin-screenshot';
import { describe, expect, it } from 'vitest';
import { openPlanner } from '../../../interface/planner.js';

describe('remove_modals', () => {
  it('is a boolean', async () => {
    await using planner = await openPlanner([pixels, png, modals]);
    expect((await planner.planOf({ remove_modals: true })).params).toMatchObject({ remove_modals: true });
    expect((await planner.planOfQuery('remove_modals')).params).toMatchObject({ remove_modals: true });
    expect(await planner.refusedQuery('remove_modals=perhaps')).toEqual(['remove_modals']);
    expect(await planner.refusedBody({ remove_modals: 'true' })).toEqual(['remove_modals']);
  });

  it('is Pro only', () => {
    expect(modals.tier).toBe('pro');
  });
});
