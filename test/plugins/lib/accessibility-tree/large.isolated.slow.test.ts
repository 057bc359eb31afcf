import { describe, expect, it } from 'vitest';
import { openSite } from '../../../helpers/site.js';
import { flatten, openReader } from './trees.js';

describe('a large page', () => {
  it('of 50,000 nodes is captured whole', async () => {
    const items = Array.from(
      { length: 10_000 },
      (_, item) => `<li><a href="/${String(item)}">link ${String(item)}</a> text <button>Buy ${String(item)}</button>`,
    );
    await using site = await openSite({ '/': `<title>Large</title><ul>${items.join('')}</ul>` });
    await using reader = openReader();
    const { tree } = await reader.read({ url: site.url('/'), no_timeout: true });
    const nodes = flatten(tree.root);
    expect(nodes.filter(({ role }) => role === 'link')).toHaveLength(10_000);
    expect(nodes.filter(({ role }) => role === 'button')).toHaveLength(10_000);
    expect(nodes.at(-1)).toMatchObject({ name: 'Buy 9999', visible: true });
  }, 180_000);

  it('whose elements are nested a thousand deep is captured whole', async () => {
    const script = `let at = document.body; for (let i = 0; i < 1000; i++) { at = at.appendChild(document.createElement('section')); at.ariaLabel = 's' + i; } at.textContent = 'deep';`;
    await using reader = openReader();
    const nodes = await reader.readBody(`<body><script>${script}</script>`);
    expect(nodes.filter(({ role }) => role === 'region')).toHaveLength(1000);
    expect(nodes.at(-1)).toMatchObject({ role: 'StaticText', name: 'deep' });
  });

  it('of thousands of layers that overlap is judged', async () => {
    const script = `for (let i = 0; i < 3000; i++) { const e = document.createElement('button'); e.textContent = 'b' + i;
      e.style = 'position:absolute;background:#fff;width:100px;height:30px;left:' + (i % 10) * 100 + 'px;top:' + (i % 100) * 7 + 'px'; document.body.append(e); }`;
    await using reader = openReader();
    const nodes = (await reader.readBody(`<body><script>${script}</script>`)).filter(({ role }) => role === 'button');
    expect(nodes).toHaveLength(3000);
    expect(nodes.at(-1)?.visible).toBe(true);
    expect(nodes[0]?.visible).toBe(false);
  });
});
