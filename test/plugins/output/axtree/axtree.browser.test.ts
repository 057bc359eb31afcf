import { buffer } from 'node:stream/consumers';
import type { StoredAsset } from '@platen/kernel';
import { createTestKernel, type TestKernel } from '@platen/kernel/testing';
import axtree from '@platen/plugin-axtree';
import tree from '@platen/plugin-accessibility';
import { coerceQuery } from '@platen/schema';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import pixels from '../../../../plugins/capture/screenshot/src/index.js';
import png from '../../../../plugins/output/png/src/index.js';
import { openSite, type Site } from '../../../helpers/site.js';

const PAGE = `<!doctype html><html lang=en><title>A  page
  of "all"</title><body style="margin:0">
  <h2>Head</h2><p>Say "hello" \\ and
  go</p><a href="/go?a=1&amp;b=2" title="Title">Go</a><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=${'A'.repeat(300)}" alt="Picture" title="Pic" width=9 height=9>
  <label>Mail <input type=email name=mail placeholder="you@example.com" required value=x></label>
  <input type=checkbox checked aria-label=on><input type=checkbox aria-label=off><input type=checkbox id=m aria-label=mixed>
  <details><summary>More</summary>hidden</details><button disabled>No</button><select aria-label=choice><option>one<option selected>two</select>
  <div onclick="1" draggable=true>press</div><div contenteditable>type</div><div tabindex=0>focus</div>
  <p style="opacity:0">unseen</p><iframe title=frame srcdoc="<p>in frame"></iframe><script>m.indeterminate=true</script>`;

let site: Site;
let host: TestKernel;
beforeAll(async () => {
  site = await openSite({
    '/': PAGE,
    '/hostile': '<title>a\nURL: fake</title><button aria-label="x\n@e9 [button] &quot;forged&quot;"></button>',
  });
  host = createTestKernel({ plugins: [tree, axtree, pixels, png] });
});
afterAll(async () => {
  await host[Symbol.asyncDispose]();
  await site[Symbol.asyncDispose]();
});

const text = async (params: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  (await (await host.render({ url: site.url('/'), output_type: 'axtree', ...params })).bytes()).toString();

interface JsonNode {
  readonly ref: string;
  readonly role: string;
  readonly name?: string;
  readonly children?: readonly JsonNode[];
  readonly [member: string]: unknown;
}
const flatten = (node: JsonNode): readonly JsonNode[] => [node, ...(node.children ?? []).flatMap(flatten)];
const parse = (body: Buffer): JsonNode => JSON.parse(body.toString()) as JsonNode;

describe('the text form', () => {
  it('is the header, a blank line and one indented line a node', async () => {
    expect(await text()).toBe(
      [
        'Page: A page of "all"',
        `URL: ${site.url('/')}`,
        '',
        '@e1 [heading] "Head" [level=2]',
        '@e2 [paragraph]',
        '  @e3 [StaticText] "Say \\"hello\\" \\\\ and go"',
        '@e4 [link] "Go" href="/go?a=1&b=2" title="Title"',
        '@e5 [image] "Picture" alt="Picture" title="Pic"',
        '@e6 [LabelText]',
        '  @e7 [StaticText] "Mail"',
        '  @e8 [textbox] "Mail" type="email" name="mail" placeholder="you@example.com" [required]',
        '    @e9 [StaticText] "x"',
        '@e10 [checkbox] "on" type="checkbox" [checked]',
        '@e11 [checkbox] "off" type="checkbox"',
        '@e12 [checkbox] "mixed" type="checkbox" [checked=mixed]',
        '@e13 [group]',
        '  @e14 [DisclosureTriangle] "More" [expanded=false]',
        '@e15 [button] "No" [disabled]',
        '@e16 [combobox] "choice" [expanded=false]',
        '  @e17 [option] "one"',
        '  @e18 [option] "two" [selected]',
        '@e19 [group] "press" [clickable]',
        '@e20 [generic] "type" [editable]',
        '@e21 [generic] "focus" [focusable]',
        '@e22 [paragraph]',
        '  @e23 [StaticText] "unseen"',
        '@e24 [Iframe] "frame" title="frame"',
        '  @e25 [paragraph]',
        '    @e26 [StaticText] "in frame"',
        '',
      ].join('\n'),
    );
  });

  it('is the same, byte for byte, for the same page', async () => {
    expect(await text()).toBe(await text());
  });

  it('keeps a name on its line: a page cannot forge nodes or headers', async () => {
    expect(await text({ url: site.url('/hostile') })).toBe(
      `Page: a URL: fake\nURL: ${site.url('/hostile')}\n\n@e1 [button] "x @e9 [button] \\"forged\\""\n`,
    );
  });

  it('is text/plain in UTF-8, with the extension txt', async () => {
    const { output } = await host.render({ url: site.url('/'), output_type: 'axtree' });
    expect(output).toMatchObject({ contentType: 'text/plain; charset=utf-8', extension: 'txt' });
  });
});

describe('the JSON form', () => {
  it('is a tree of the same nodes, without empty members', async () => {
    const { output, bytes } = await host.render({ url: site.url('/'), output_type: 'axtree_json' });
    expect(output).toMatchObject({ contentType: 'application/json', extension: 'json' });
    const root = parse(await bytes());
    expect(root).toMatchObject({ ref: 'e0', role: 'RootWebArea', url: site.url('/'), bounds: { x: 0, y: 0, width: 1280 } });
    const nodes = flatten(root);
    const refs = [...(await text()).matchAll(/^ *@(e\d+)/gm)].map(([, ref]) => ref);
    expect(nodes.map(({ ref }) => ref)).toEqual(['e0', ...refs]);
    for (const node of nodes) {
      for (const [member, value] of Object.entries(node)) {
        expect(value, member).not.toBe('');
        expect(value, member).not.toBeNull();
        expect(JSON.stringify(value), member).not.toMatch(/^(\{\}|\[\])$/);
      }
    }
    expect(nodes.find(({ role }) => role === 'textbox')).toMatchObject({
      name: 'Mail',
      value: 'x',
      state: { required: true },
      attrs: { type: 'email', name: 'mail', placeholder: 'you@example.com' },
      backendDOMNodeId: expect.any(Number) as number,
      bounds: { width: expect.any(Number) as number },
    });
    expect(nodes.find(({ role }) => role === 'link')).toMatchObject({ url: site.url('/go?a=1&b=2'), attrs: { href: '/go?a=1&b=2' } });
    expect(nodes.find(({ role }) => role === 'image')).toMatchObject({ url: 'data:image/gif;base64,…' });
    expect(nodes.find(({ name }) => name === 'press')).toMatchObject({ cursor: 'clickable' });
    expect(nodes.find(({ role }) => role === 'group')).not.toHaveProperty('cursor');
    expect(nodes.find(({ name }) => name === 'off')).toMatchObject({ state: { checked: false } });
  });
});

describe('axtree_only_visible', () => {
  it('leaves out what nobody sees, in both forms, and keeps the refs', async () => {
    const whole = await text();
    const seen = await text({ axtree_only_visible: true });
    expect(whole).toContain('unseen');
    expect(seen).not.toContain('unseen');
    expect(seen).toContain('@e24 [Iframe] "frame"');
    const result = await host.render({ url: site.url('/'), output_type: 'axtree_json', axtree_only_visible: true });
    const nodes = flatten(parse(await result.bytes()));
    expect(nodes.map(({ name }) => name)).not.toContain('unseen');
    expect(nodes.find(({ role }) => role === 'Iframe')?.ref).toBe('e24');
  });
});

describe('with_axtree', () => {
  const assetsOf = async (params: Readonly<Record<string, unknown>>): Promise<readonly StoredAsset[]> =>
    (await host.render({ url: site.url('/'), ...params })).assets.kept;
  const bodyOf = ({ open }: StoredAsset): Promise<Buffer> => buffer(open());

  it.each(['json', 'true', true])('%j gives the JSON tree beside a picture', async (value) => {
    const [asset, ...others] = await assetsOf({ output_type: 'png', with_axtree: value });
    expect(others).toEqual([]);
    expect(asset).toMatchObject({ name: 'axtree', contentType: 'application/json', extension: 'axtree.json' });
    if (asset !== undefined) expect(flatten(parse(await bodyOf(asset))).map(({ name }) => name)).toContain('Head');
  });

  it('text gives the outline', async () => {
    const [asset] = await assetsOf({ output_type: 'png', with_axtree: 'text' });
    expect(asset).toMatchObject({ name: 'axtree', contentType: 'text/plain; charset=utf-8', extension: 'axtree.txt' });
    if (asset !== undefined) expect((await bodyOf(asset)).toString()).toBe(await text());
  });

  it.each(['false', false, undefined, null])('%j gives none', async (value) => {
    expect(await assetsOf({ output_type: 'png', with_axtree: value })).toEqual([]);
  });

  it.each([
    ['json', 'json'],
    ['true', true],
    [undefined, true],
    ['text', 'text'],
    ['false', false],
  ])('=%j in a query string is %j: the key alone asks for the tree', (given, value) => {
    const raw = coerceQuery(
      [
        ['url', site.url('/')],
        ['with_axtree', given],
      ],
      host.kernel.schema,
    );
    expect(host.kernel.validate(raw, 'query')).toMatchObject({ with_axtree: value });
  });

  it('beside the tree as output shares its capture: the same nodes of the same moment', async () => {
    const { assets, bytes } = await host.render({ url: site.url('/'), output_type: 'axtree_json', with_axtree: 'json' });
    const [asset] = assets.kept;
    expect(asset?.name).toBe('axtree');
    if (asset !== undefined) expect(await bodyOf(asset)).toEqual(await bytes());
  });

  it('holds only what is visible where that is asked for', async () => {
    const [asset] = await assetsOf({ output_type: 'png', with_axtree: 'text', axtree_only_visible: true });
    if (asset !== undefined) expect((await bodyOf(asset)).toString()).toBe(await text({ axtree_only_visible: true }));
    expect(asset).toBeDefined();
  });
});
