import type { TreeCapture, TreeNode } from '@platen/lib-accessibility-tree';
import { expect, it } from 'vitest';
import { writeTree } from '../../../../plugins/output/axtree/src/index.js';

const COUNT = 200_000;
const node = (at: number, children: readonly TreeNode[] = []): TreeNode => ({
  ref: `e${String(at)}`,
  role: 'link',
  name: `link ${String(at)}`,
  state: {},
  attrs: { href: '/' },
  frameId: 'f',
  bounds: { x: 0, y: at, width: 10, height: 10.123 },
  visible: true,
  children,
});
const items = Array.from({ length: COUNT / 2 }, (_, at) => node(2 * at + 2, [node(2 * at + 3)]));
const capture: TreeCapture = { title: 't', url: 'http://x/', root: node(0, [node(1, items)]), frames: [] };

it.each(['text', 'json'] as const)('a large tree is written whole (%s), and others have turns meanwhile', async (form) => {
  let turns = 0;
  const count = (): void => {
    turns += 1;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  const { body } = await writeTree(capture, { params: {}, get: () => undefined }, form);
  clearImmediate(counting);
  expect(turns).toBeGreaterThan(0);
  const text = Buffer.isBuffer(body) ? body.toString() : '';
  if (form === 'text') expect(text.trimEnd().split('\n')).toHaveLength(COUNT + 4);
  else expect(JSON.stringify(JSON.parse(text))).toBe(text);
  expect(text.match(/link \d+/g)).toHaveLength(COUNT + (form === 'text' ? 1 : 2));
});
