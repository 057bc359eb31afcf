import type { Rect } from '@platen/kernel';
import type { TreeNode } from '@platen/lib-tree';
import { withoutUserinfo } from './without-userinfo.js';

/** CSS pixels are told apart to a hundredth. */
const PRECISION = 100;

/** The tree as JSON, without members that are empty. */
export function writeJson(root: TreeNode): string {
  return JSON.stringify(toJson(root));
}

function toJson({ ref, role, name, description, value, url, state, attrs, cursor, backendDOMNodeId, bounds, children }: TreeNode): object {
  return {
    ref,
    role,
    ...(name === '' ? {} : { name }),
    ...(description === undefined ? {} : { description }),
    ...(value === undefined ? {} : { value }),
    ...(url === undefined ? {} : { url: withoutUserinfo(url) }),
    ...(isEmpty(state) ? {} : { state }),
    ...(isEmpty(attrs) ? {} : { attrs: attrs.href === undefined ? attrs : { ...attrs, href: withoutUserinfo(attrs.href) } }),
    ...(cursor === undefined ? {} : { cursor }),
    ...(backendDOMNodeId === undefined ? {} : { backendDOMNodeId }),
    ...(bounds === null ? {} : { bounds: rounded(bounds) }),
    ...(children.length === 0 ? {} : { children: children.map(toJson) }),
  };
}

function isEmpty(members: object): boolean {
  return Object.keys(members).length === 0;
}

function rounded({ x, y, width, height }: Rect): Rect {
  const round = (length: number): number => Math.round(length * PRECISION) / PRECISION;
  return { x: round(x), y: round(y), width: round(width), height: round(height) };
}
