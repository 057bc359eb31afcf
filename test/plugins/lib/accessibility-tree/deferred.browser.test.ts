import { expect, it } from 'vitest';
import { openReader } from './trees.js';

const page = (visibility: string) =>
  `<style>article{content-visibility:${visibility};contain:layout style paint;contain-intrinsic-size:auto 800px}</style><body>
    ${['a', 'b', 'c', 'd', 'e'].map((name) => `<article><h2>${name}</h2><p>text of ${name}</p></article>`).join('')}
    <div id=host><template shadowrootmode=open><style>p{content-visibility:${visibility};contain:layout style paint}</style><div style="height:3000px"></div><p><b>f</b></p></template></div>`;

it('what waits out of sight is read like all else, and the same each time', async () => {
  await using reader = openReader();
  const see = async (visibility: string) =>
    (await reader.readBody(page(visibility))).map(({ role, name, bounds, visible }) => ({ role, name, bounds, visible }));
  const expected = await see('visible');
  for (let time = 0; time < 5; time += 1) expect(await see('auto')).toEqual(expected);
  expect(expected.map(({ name }) => name)).toEqual(expect.arrayContaining(['a', 'text of e', 'f']));
});
