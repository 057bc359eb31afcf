import { ATTRIBUTES, runYielding, shouldYield, type TreeCapture, type TreeNode, type TreeState } from '@platen/lib-accessibility-tree';
import { withoutUserinfo } from './without-userinfo.js';

/**
 * The tree as an indented outline: `Page:` and `URL:`, a blank line, then one line per node. The document itself has no line. See the
 * package's README for the grammar.
 */
export async function writeText({ title, url, root }: TreeCapture): Promise<string> {
  const lines = [`Page: ${oneLine(title)}`, `URL: ${oneLine(withoutUserinfo(url))}`, ''];
  function* write({ children }: TreeNode, indent: string): Generator<void, void> {
    for (const child of children) {
      if (shouldYield()) yield;
      lines.push(`${indent}${lineOf(child)}`);
      if (child.children.length > 0) yield* write(child, `${indent}  `);
    }
  }
  await runYielding(write(root, ''));
  return `${lines.join('\n')}\n`;
}

function lineOf({ ref, role, name, attrs, state, cursor }: TreeNode): string {
  const parts = [`@${ref}`, `[${role}]`];
  if (oneLine(name) !== '') parts.push(quote(name));
  for (const attribute of ATTRIBUTES) {
    const value = attrs[attribute];
    if (value !== undefined) parts.push(`${attribute}=${quote(attribute === 'href' ? withoutUserinfo(value) : value)}`);
  }
  for (const said of [...statesOf(role, state), ...(cursor === undefined ? [] : [cursor])]) parts.push(`[${said}]`);
  return parts.join(' ');
}

/** A list item's level is its nesting depth, which the indentation already shows. */
function statesOf(role: string, { level, checked, expanded, selected, disabled, required }: TreeState): readonly string[] {
  return [
    ...(level === undefined || role === 'listitem' ? [] : [`level=${String(level)}`]),
    ...(checked === undefined || checked === false ? [] : [checked === 'mixed' ? 'checked=mixed' : 'checked']),
    ...(expanded === undefined ? [] : [expanded ? 'expanded' : 'expanded=false']),
    ...(selected === true ? ['selected'] : []),
    ...(disabled === true ? ['disabled'] : []),
    ...(required === true ? ['required'] : []),
  ];
}

function quote(text: string): string {
  return `"${oneLine(text).replace(/["\\]/g, '\\$&')}"`;
}

/** Each run of white space and control characters becomes one space. */
function oneLine(text: string): string {
  return text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
}
