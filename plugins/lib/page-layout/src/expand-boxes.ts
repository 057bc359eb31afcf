import type { Page } from '@platen/kernel';
import { adoptLasting } from './restyle-page.js';

/** Maximum number of scroll containers, nested or side by side. */
const MAX_BOXES = 4;

/**
 * Makes a page's scroll containers as high as their content without changing the viewport, so that the document scrolls instead and lengths
 * in `vh` stay the same. Counts the same boxes as `measureDocument`, except boxes whose own styles prevent it.
 */
export async function expandBoxes(page: Page): Promise<void> {
  for (let boxes = 0; boxes < MAX_BOXES && (await page.evaluate(ruleExpanded, boxes > 0)); boxes += 1) await adoptLasting(page);
}

/**
 * Runs in the page; must not capture outer variables. Returns whether there is such a box. `again`: previously expanded boxes do not count.
 */
function ruleExpanded(again: boolean): boolean {
  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  const above = (child: Element): Element | null => {
    const root = child.getRootNode();
    return child.assignedSlot ?? child.parentElement ?? (root instanceof ShadowRoot ? root.host : null);
  };
  const scrolls = (element: Element) =>
    ['auto', 'scroll', ...(element === document.body ? ['hidden'] : [])].includes(getComputedStyle(element).overflowY);
  const hiddenIn = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight;
  const noted: unknown = again ? Reflect.get(globalThis, 'platenExpanded') : [];
  const tried: readonly unknown[] = Array.isArray(noted) ? noted : [];
  const grows = (element: Element) =>
    !tried.includes(element) && !(element instanceof HTMLElement && element.style.getPropertyPriority('min-height') === 'important');
  const [box] = all(document)
    .filter(grows)
    .filter((element) => element !== document.documentElement && hiddenIn(element) > 1)
    .filter((element) => element.clientHeight >= innerHeight / 2 && element.clientWidth >= innerWidth / 2)
    .filter(scrolls)
    .sort((one, other) => hiddenIn(other) - hiddenIn(one));
  if (box === undefined) return false;
  Reflect.set(globalThis, 'platenExpanded', [...tried, box]);
  const lack = hiddenIn(box);
  box.scrollTo({ top: 0, behavior: 'instant' });
  const rules = new Map<Element, string>();
  const isIn = (element: Element): boolean => {
    for (let at: Element | null = above(element); at !== null; at = above(at)) if (at === box) return true;
    return false;
  };
  // Elements that are as high as a part of the box keep their height.
  for (const element of all(document)) {
    const lengths = ['height', 'min-height'].map((name) => element.computedStyleMap().get(name)?.toString() ?? '');
    if (!lengths.some((length) => length.includes('%')) || !isIn(element)) continue;
    const { height } = getComputedStyle(element);
    const name = lengths[0]?.includes('%') === true ? 'height' : 'min-height';
    if (height.endsWith('px')) rules.set(element, `${name}: ${height} !important; transition: none !important;`);
  }
  for (let element: Element | null = box; element !== null; element = above(element)) {
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
}
