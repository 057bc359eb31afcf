import { PlatenError } from '@platen/kernel';
import { expect, it } from 'vitest';
import { lookUntilFound } from '../../../../plugins/page/wait/src/look-until-found.js';

const { signal } = new AbortController();

it('goes on looking, however many documents go away under it', async () => {
  let looks = 0;
  await lookUntilFound(() => (++looks > 25 ? Promise.resolve(true) : Promise.reject(new Error('the document went away'))), signal);
  expect(looks).toBe(26);
});

it('ends with what is a verdict', async () => {
  const crashed = new PlatenError('page_crashed', 'the page crashed');
  await expect(lookUntilFound(() => Promise.reject(crashed), signal)).rejects.toBe(crashed);
});
