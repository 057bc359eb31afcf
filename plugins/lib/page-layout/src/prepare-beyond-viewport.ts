import type { Page } from '@platen/kernel';
import { withFlatTree } from '@platen/lib-page-functions';
import { adoptLasting, forceContentPainting } from './restyle-page.js';

/**
 * Prepares a page for capture beyond its viewport: lays out skipped content, and attaches viewport backgrounds (`background-attachment:
 * fixed`) to their boxes, because the browser paints those backgrounds only within the viewport.
 */
export async function prepareBeyondViewport(page: Page): Promise<void> {
  await forceContentPainting(page);
  if (await page.evaluate(ruleAttached)) await adoptLasting(page);
}

/** Runs in the page; must not capture outer variables. Returns whether there are such backgrounds. */
const ruleAttached = withFlatTree((tree): boolean => {
  const declaration = (element: Element, pseudo?: string): string | undefined => {
    const { backgroundAttachment } = getComputedStyle(element, pseudo);
    if (!backgroundAttachment.includes('fixed')) return undefined;
    return `background-attachment: ${backgroundAttachment.replaceAll('fixed', 'scroll')} !important;`;
  };
  const rules = new Map<Element, string>();
  for (const element of tree.elements(document)) {
    const own = declaration(element);
    const before = declaration(element, '::before');
    const after = declaration(element, '::after');
    if ((own ?? before ?? after) === undefined) continue;
    const nested = `${before === undefined ? '' : `&::before { ${before} }`} ${after === undefined ? '' : `&::after { ${after} }`}`;
    rules.set(element, `${own ?? ''} ${nested}`);
  }
  Reflect.set(globalThis, 'platenRules', rules);
  return rules.size > 0;
});
