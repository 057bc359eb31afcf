import type { DomDocument, DomNode } from './document.js';

/** HTML, the elements to which `disabled` applies. */
const DISABLEABLE = new Set(['BUTTON', 'FIELDSET', 'INPUT', 'OPTGROUP', 'OPTION', 'SELECT', 'TEXTAREA']);

/** The node is an `<object>` that shows its fallback content, or part of that content, and only the object makes it disabled. */
export function isLiveFallback(node: DomNode, document: DomDocument): boolean {
  const object = nearest(node, document, ({ tag }) => tag === 'OBJECT');
  return object !== undefined && showsContent(object, document) && nearest(node, document, isDisabled) === undefined;
}

/** The node itself or an ancestor. */
function nearest(node: DomNode, { nodes }: DomDocument, matches: (node: DomNode) => boolean): DomNode | undefined {
  let at: DomNode | undefined = node;
  while (at !== undefined && !matches(at)) at = nodes[at.parent];
  return at;
}

function showsContent({ index, end }: DomNode, { nodes }: DomDocument): boolean {
  return nodes.slice(index + 1, end + 1).some(({ box }) => box !== undefined);
}

function isDisabled({ tag, attributes }: DomNode): boolean {
  return (attributes.has('disabled') && DISABLEABLE.has(tag)) || attributes.get('aria-disabled')?.toLowerCase() === 'true';
}
