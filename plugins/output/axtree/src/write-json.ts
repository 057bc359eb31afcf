import type { Rect } from '@platen/kernel';
import { runYielding, shouldYield, type TreeNode } from '@platen/lib-accessibility-tree';
import { withoutUserinfo } from './without-userinfo.js';

/** CSS pixels are rounded to hundredths. */
const PRECISION = 100;

/** Nodes that are written in one chunk. */
const FEW = 5_000;

/** The tree as JSON, without empty members. */
export async function writeJson(root: TreeNode): Promise<string> {
  const parts: string[] = [];
  await runYielding(write(root, parts));
  return parts.join('');
}

/** In chunks, because a large tree takes long. A node's children are its last member. */
function* write(node: TreeNode, parts: string[]): Generator<void, void> {
  if (shouldYield()) yield;
  const { children } = node;
  if (children.length === 0 || countUpTo(FEW, node) < FEW) {
    parts.push(JSON.stringify(toJson(node)));
    return;
  }
  parts.push(JSON.stringify(toJson({ ...node, children: [] })).slice(0, -1), ',"children":');
  for (const [at, child] of children.entries()) {
    parts.push(at === 0 ? '[' : ',');
    yield* write(child, parts);
  }
  parts.push(']}');
}

/** The number of nodes in it, counted up to the limit. */
function countUpTo(bound: number, { children }: TreeNode): number {
  let count = 1;
  for (const child of children) {
    if (count >= bound) break;
    count += countUpTo(bound - count, child);
  }
  return count;
}

/** Member by member: a page has thousands of nodes, and copies with omitted members cost several times as much. */
function toJson({ ref, role, name, description, value, url, state, attrs, cursor, backendDOMNodeId, bounds, children }: TreeNode): object {
  const members: Record<string, unknown> = { ref, role };
  if (name !== '') members['name'] = name;
  if (description !== undefined) members['description'] = description;
  if (value !== undefined) members['value'] = value;
  if (url !== undefined) members['url'] = withoutUserinfo(url);
  if (!isEmpty(state)) members['state'] = state;
  if (!isEmpty(attrs)) members['attrs'] = attrs.href === undefined ? attrs : { ...attrs, href: withoutUserinfo(attrs.href) };
  if (cursor !== undefined) members['cursor'] = cursor;
  if (backendDOMNodeId !== undefined) members['backendDOMNodeId'] = backendDOMNodeId;
  if (bounds !== null) members['bounds'] = rounded(bounds);
  if (children.length > 0) members['children'] = children.map(toJson);
  return members;
}

function isEmpty(members: object): boolean {
  for (const _ in members) return false;
  return true;
}

function rounded({ x, y, width, height }: Rect): Rect {
  const round = (length: number): number => Math.round(length * PRECISION) / PRECISION;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
