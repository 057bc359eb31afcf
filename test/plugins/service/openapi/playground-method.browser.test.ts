import { expect, it } from 'vitest';
import { usePlayground } from './open-playground.js';
import { playRender } from './play-render.js';

const { playground } = usePlayground({ render: playRender().render });

it('says that it sends a POST all the same where a value is an object', async () => {
  const { page } = await playground('#url=http://a.test/');
  const note = page.getByText('A URL cannot contain this request: sent as POST');
  await page.getByLabel('Send as').selectOption('GET');
  expect(await note.count()).toBe(0);
  await page.getByLabel('Find a parameter').fill('with_storage');
  await page.getByLabel('with_storage', { exact: true }).fill('{"cookies": []}');
  await note.waitFor();
  await page.getByLabel('Send as').selectOption('POST');
  expect(await note.count()).toBe(0);
});
