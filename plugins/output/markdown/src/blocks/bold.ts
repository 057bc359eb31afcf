import { childrenOf, elementsIn, hasContent, isNamed } from './elements.js';
import { unwrap } from './links.js';

/** What is strong by itself (a heading, a header cell) and strong altogether is not stronger than that. */
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
