import { PlatenError } from '@platen/kernel';
import { expect, it } from 'vitest';
import { pollUntil } from '../../../../plugins/page/wait/src/wait-for-selector.js';

const { signal } = new AbortController();

it('goes on looking, however many documents go away under it', async () => {
  let looks = 0;
  await pollUntil(() => (++looks > 25 ? Promise.resolve(true) : Promise.reject(new Error('the document went away'))), signal);
  expect(looks).toBe(26);
});

it('ends with what is a verdict', async () => {
  const crashed = new PlatenError('page_crashed', 'the page crashed');
  await expect(pollUntil(() => Promise.reject(crashed), signal)).rejects.toBe(crashed);
});
