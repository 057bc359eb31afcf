import { definePlugin } from '@platen/kernel';
import type {} from '@platen/server';
import { expect, it } from 'vitest';
import { openDocumented } from './open-documented.js';

const late = definePlugin({
  name: 'late',
  serve({ hooks }) {
    hooks.describe.tap('late', (description) => ({
      ...description,
      renders: {
        parameters: [{ name: 'X-Late', in: 'header', description: 'Render later.', schema: { type: 'string' } }],
        answers: { 202: { description: 'It is rendered later.', headers: { Location: 'Of the result.' } } },
      },
    }));
  },
});

it('the document tells of the parameters and answers that plugins add to a render', async () => {
  await using server = await openDocumented({ more: [late] });
  const { get, post, delete: purge } = server.document.paths['/'];
  for (const render of [get, post]) {
    expect(render.parameters).toContainEqual(expect.objectContaining({ name: 'X-Late', in: 'header' }));
    expect(render.responses[202].headers.Location.description).toBe('Of the result.');
  }
  expect(purge.responses).not.toHaveProperty('202');
});
