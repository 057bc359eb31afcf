import type { Rect } from '@platen/kernel';
import type { TreeNode } from '@platen/lib-tree';
import { withoutUserinfo } from './without-userinfo.js';

/** CSS pixels are told apart to a hundredth. */
const PRECISION = 100;

/** The tree as JSON, without members that are empty. */
export function writeJson(root: TreeNode): string {
  return JSON.stringify(toJson(root));
}

/** Member by member: a page has thousands of nodes, and copies with parts left out cost several times as much. */
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
