import { expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { flatten, openReader } from './trees.js';

const inside = (visibility: string) =>
  `<!doctype html><style>section{content-visibility:${visibility};contain:layout style paint}</style><p>first</p><div style="height:3000px"></div>
  <section><p>below</p><a href="/x">link below</a></section>
  <div><template shadowrootmode=open><style>p{content-visibility:${visibility};contain:layout style paint}</style><p><b>in shadow</b></p></template></div>`;

it.each([
  ['of the same process', '127.0.0.1'],
  ['of another process', 'localhost'],
])('what waits out of sight in frames %s is read like all else', async (_, host) => {
  await using site = await openSite({
    '/auto': () => page('auto'),
    '/visible': () => page('visible'),
    '/in/auto': inside('auto'),
    '/in/visible': inside('visible'),
    '/nested/auto': () => `<!doctype html><iframe src="${site.url('/in/auto')}"></iframe>`,
    '/nested/visible': () => `<!doctype html><iframe src="${site.url('/in/visible')}"></iframe>`,
  });
  const page = (visibility: string) =>
    `<!doctype html><p>top</p><iframe src="${site.url(`/in/${visibility}`, host)}"></iframe><iframe src="${site.url(`/nested/${visibility}`, host)}"></iframe>`;
  await using reader = openReader();
  const read = async (path: string) =>
    flatten((await reader.read({ url: site.url(path) })).tree.root).map(({ role, name, bounds, visible }) => ({
      role,
      name,
      bounds,
      visible,
    }));
  const expected = await read('/visible');
  expect(expected.filter(({ name, visible }) => name === 'link below' && visible)).toHaveLength(2);
  expect(expected.filter(({ name }) => name === 'in shadow')).toHaveLength(2);
  expect(await read('/auto')).toEqual(expected);
});

it('a frame that waits with the part of another process in which it stands is read every time', async () => {
  await using site = await openSite({
    '/': () => `<!doctype html><p>top</p><iframe width=500 height=300 src="${site.url('/middle', 'localhost')}"></iframe>`,
    '/middle': () => `<!doctype html><p>middle</p><div style="height:900px"></div>
      <div style="content-visibility:auto"><b>deep</b><iframe src="${site.url('/leaf')}"></iframe></div>`,
    '/leaf': '<!doctype html><div style="content-visibility:auto"><p>leaf</p></div>',
  });
  // Eighteen processes draw at once. A busy machine may take longer for that than the two seconds that a frame gets otherwise, after which
  // it is read as it is.
  await using reader = openReader({ frameTimeoutMs: 30_000 });
  const times = Array.from({ length: 6 }, () => reader.read({ url: site.url('/') }));
  for (const { tree } of await Promise.all(times)) {
    const seen = flatten(tree.root).filter(({ role, visible }) => role === 'StaticText' && visible);
    expect(seen.map(({ name }) => name)).toEqual(['top', 'middle', 'deep', 'leaf']);
  }
});
