import type { Page } from '@platen/kernel';
import { definePageFunction, FlatTree } from '@platen/lib-page-functions';
import { isPageScroller } from './measure-document.js';
import { adoptLasting } from './restyle-page.js';

/** Maximum number of scroll containers, nested or side by side. */
const MAX_BOXES = 4;

/**
 * Makes a page's scroll containers as high as their content without changing the viewport, so that the document scrolls instead and lengths
 * in `vh` stay the same. Counts the same boxes as `measureDocument`, except boxes whose own styles prevent it.
 */
export async function expandBoxes(page: Page): Promise<void> {
  for (let boxes = 0; boxes < MAX_BOXES && (await page.evaluate(ruleExpanded, { again: boxes > 0 })); boxes += 1) await adoptLasting(page);
}

/**
 * Runs in the page; must not capture outer variables. Returns whether there is such a box. `again`: previously expanded boxes do not count.
 */
const ruleExpanded = definePageFunction({ FlatTree, isPageScroller }, (parts, { again }: { readonly again: boolean }): boolean => {
  const tree = new parts.FlatTree();
  const hiddenIn = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight;
  const noted: unknown = again ? Reflect.get(globalThis, 'platenExpanded') : [];
  const tried: readonly unknown[] = Array.isArray(noted) ? noted : [];
  const grows = (element: Element) =>
    !tried.includes(element) && !(element instanceof HTMLElement && element.style.getPropertyPriority('min-height') === 'important');
  const [box] = tree
    .elements(document)
    .filter(grows)
    .filter((element) => element !== document.documentElement && parts.isPageScroller(element, innerHeight))
    .sort((one, other) => hiddenIn(other) - hiddenIn(one));
  if (box === undefined) return false;
  Reflect.set(globalThis, 'platenExpanded', [...tried, box]);
  const lack = hiddenIn(box);
  box.scrollTo({ top: 0, behavior: 'instant' });
  const rules = new Map<Element, string>();
  // Elements that are as high as a part of the box keep their height.
  for (const element of tree.elements(document)) {
    const lengths = ['height', 'min-height'].map((name) => element.computedStyleMap().get(name)?.toString() ?? '');
    if (!lengths.some((length) => length.includes('%')) || !tree.ancestors(element).includes(box)) continue;
    const { height } = getComputedStyle(element);
    const name = lengths[0]?.includes('%') === true ? 'height' : 'min-height';
    if (height.endsWith('px')) rules.set(element, `${name}: ${height} !important; transition: none !important;`);
  }
  for (const element of [box, ...tree.ancestors(box)]) {
    const style = getComputedStyle(element);
    if (style.display === 'contents' || style.display === 'inline') continue;
    const { height } = element instanceof HTMLElement ? { height: element.offsetHeight } : element.getBoundingClientRect();
    const edges = [style.paddingTop, style.paddingBottom, style.borderTopWidth, style.borderBottomWidth];
    const around = style.boxSizing === 'border-box' ? 0 : edges.reduce((sum, edge) => sum + (parseFloat(edge) || 0), 0);
    // Elements fixed to the window are not part of the document.
    const place = style.position === 'fixed' ? ' position: absolute !important;' : '';
    rules.set(element, `min-height: ${String(height + lack - around)}px !important; transition: none !important;${place}`);
  }
  Reflect.set(globalThis, 'platenRules', rules);
  return true;
});
