import { childrenOf, elementsIn, hasContent, isNamed } from './elements.js';
import { unwrap } from './links.js';

/** Bold text in an element that is bold anyway (a heading, a header cell), and bold around all of its content, has no effect. */
export function withoutBold(content: readonly Node[]): readonly Node[] {
  const [only, ...others] = content.filter(hasContent);
  if (!isNamed(only, 'B', 'STRONG') || others.length > 0) return content;
  unwrapBold(only);
  return childrenOf(only);
}

function unwrapBold(parent: Element): void {
  for (const child of elementsIn(parent)) {
    unwrapBold(child);
    if (isNamed(child, 'B', 'STRONG')) unwrap(child);
  }
}
