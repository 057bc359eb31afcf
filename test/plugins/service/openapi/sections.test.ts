import { afterAll, beforeAll, expect, it } from 'vitest';
import { openDocumented, type DocumentedServer } from './open-documented.js';

let server: DocumentedServer;
beforeAll(async () => {
  server = await openDocumented();
});
afterAll(() => server[Symbol.asyncDispose]());

it('headings are words of people, the most used first', () => {
  const headings: readonly string[] = server.document['x-sections'];
  expect(headings.slice(0, 5)).toEqual(['Request', 'Page and browser', 'When the page is ready', 'Images', 'PDF']);
  expect(headings).toEqual(expect.arrayContaining(['Crawling', 'Archives', 'Language models', 'Banners and ads']));
  // A heading made of a plugin's name has no words of its own.
  const names = new Set(server.kernel.plugins.map(({ definition: { name } }) => name));
  expect(headings.filter((heading) => heading !== 'PDF' && names.has(heading.toLowerCase().replaceAll(' ', '-')))).toEqual([]);
});

it('output types are in order of use', () => {
  const outputs: readonly { readonly type: string }[] = server.document['x-outputs'];
  expect(outputs.slice(0, 5).map(({ type }) => type)).toEqual(['png', 'jpg', 'webp', 'pdf', 'markdown']);
  expect(new Set(outputs.map(({ type }) => type)).size).toBe(outputs.length);
});
