import type { DomDocument, DomNode } from './document.js';

/** HTML, the elements that `disabled` applies to. */
const DISABLEABLE = new Set(['BUTTON', 'FIELDSET', 'INPUT', 'OPTGROUP', 'OPTION', 'SELECT', 'TEXTAREA']);

/** It is an `<object>` that shows what is written in it, or part of that, and nothing but the object makes it disabled. */
export function isLiveFallback(node: DomNode, document: DomDocument): boolean {
  const object = nearest(node, document, ({ tag }) => tag === 'OBJECT');
  return object !== undefined && showsContent(object, document) && nearest(node, document, isDisabled) === undefined;
}

/** Itself or above. */
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
