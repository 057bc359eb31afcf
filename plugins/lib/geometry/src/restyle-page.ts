import type { Page } from '@platen/kernel';

/**
 * Changes to how a page is drawn that its own observers do not see: style sheets of ours, in the document and its open shadow roots,
 * whose rules name elements by their place. What a page fixes by an inline style of its own with `!important` stays. What one step leaves
 * for the next lies in the world of our own scripts, where no page looks.
 */

/** Remembers where fixed and sticky boxes stand, before the page is scrolled for a picture. */
export async function noteAnchored(page: Page): Promise<void> {
  await page.evaluate(notePlaces);
}

/**
 * Draws fixed and sticky boxes where they stood when they were noted, so that none covers what was scrolled to; of a box that was not
 * fixed then, where it would have been. `around`: an element whose own boxes stay where they are.
 */
export async function keepAnchored(page: Page, around?: string): Promise<void> {
  await releaseAnchored(page);
  await page.evaluate(ruleAnchored, around ?? null);
  await page.evaluate(adoptRules, 'platenSheets');
}

/** Ends what `keepAnchored` does. */
export async function releaseAnchored(page: Page): Promise<void> {
  await page.evaluate(emptySheets, 'platenSheets');
}

/** Lays out and paints what waits out of sight (`content-visibility: auto`), for pictures of more than is in view. */
export async function paintDeferred(page: Page): Promise<void> {
  if (await page.evaluate(ruleDeferred)) await adoptLasting(page);
}

/** Makes a style sheet of the rules that a step has left in `platenRules`, a map from elements to declarations, for as long as the page lives. */
export async function adoptLasting(page: Page): Promise<void> {
  await page.evaluate(adoptRules, null);
}

/**
 * As `paintDeferred`, until the function that it answers is called: what is read of a document's boxes does not depend on what was in view. `world`: where
 * no page looks, in any document.
 */
export async function showDeferred(world: Pick<Page, 'evaluate'>): Promise<() => Promise<void>> {
  if (!(await world.evaluate(ruleDeferred))) return () => Promise.resolve();
  await world.evaluate(adoptRules, 'platenDeferred');
  return () => world.evaluate(emptySheets, 'platenDeferred');
}

/** Runs in the page: closes over nothing, as all below. Places are in CSS pixels of the document; the document's is where it is scrolled to. */
function notePlaces(): void {
  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  const places = new Map<Node, DOMPoint>([[document, new DOMPoint(scrollX, scrollY)]]);
  for (const element of all(document)) {
    if (!['fixed', 'sticky'].includes(getComputedStyle(element).position)) continue;
    const { x, y } = element.getBoundingClientRect();
    places.set(element, new DOMPoint(x + scrollX, y + scrollY));
  }
  Reflect.set(globalThis, 'platenPlaces', places);
}

function ruleAnchored(around: string | null): void {
  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  const noted: unknown = Reflect.get(globalThis, 'platenPlaces');
  const placeOf = (node: Node): DOMPoint | undefined => {
    const place: unknown = noted instanceof Map ? noted.get(node) : undefined;
    return place instanceof DOMPoint ? place : undefined;
  };
  const held = around === null ? null : document.querySelector(around);
  const from = placeOf(document) ?? new DOMPoint(scrollX, scrollY);

  const ruleOf = (element: Element): string | undefined => {
    const { position, translate } = getComputedStyle(element);
    if (!['fixed', 'sticky'].includes(position) || (held !== null && element.contains(held))) return undefined;
    const { x: left, y: top } = element.getBoundingClientRect();
    const fixed = position === 'fixed';
    const was = placeOf(element) ?? (fixed ? new DOMPoint(left + from.x, top + from.y) : undefined);
    const by = was && new DOMPoint(was.x - left - scrollX, was.y - top - scrollY);
    if (by !== undefined && Math.abs(by.x) < 0.5 && Math.abs(by.y) < 0.5) return undefined;
    if (!fixed) return 'position: relative !important; inset: auto !important;';
    if (by === undefined || translate.includes('%')) return undefined;
    const [x = 0, y = 0] = translate === 'none' ? [] : translate.split(' ').map(parseFloat);
    return `translate: ${String(x + by.x)}px ${String(y + by.y)}px !important; transition: none !important;`;
  };
  Reflect.set(globalThis, 'platenRules', new Map(all(document).map((element) => [element, ruleOf(element)])));
}

/** Answers whether there is anything that waits. */
function ruleDeferred(): boolean {
  const all = (root: ParentNode): Element[] =>
    Array.from(root.querySelectorAll('*')).flatMap((element) => [element, ...(element.shadowRoot === null ? [] : all(element.shadowRoot))]);
  const rules = new Map<Element, string>();
  for (const element of all(document)) {
    const { contentVisibility, contain } = getComputedStyle(element);
    if (contentVisibility !== 'auto') continue;
    // The containment that `auto` brings with it in view, too: margins and overflow stay as they are.
    const others = contain.split(' ').filter((word) => !['none', 'content', 'layout', 'style', 'paint'].includes(word));
    const containment = others.includes('strict') ? 'strict' : ['layout', 'style', 'paint', ...others].join(' ');
    rules.set(element, `content-visibility: visible !important; contain: ${containment} !important;`);
  }
  Reflect.set(globalThis, 'platenRules', rules);
  return rules.size > 0;
}

/** `list`: where the style sheets are kept that are to be emptied again; null: they last. */
function adoptRules(list: string | null): void {
  const pathOf = (element: Element): string => {
    const steps: string[] = [];
    let at = element;
    const step = (siblings: HTMLCollection) => `:nth-child(${String(Array.from(siblings).indexOf(at) + 1)})`;
    for (let parent = at.parentElement; parent !== null; parent = at.parentElement) {
      steps.unshift(step(parent.children));
      at = parent;
    }
    const root = at.getRootNode();
    return [...(root instanceof ShadowRoot ? [':host', step(root.children)] : [':root']), ...steps].join(' > ');
  };
  const rules: unknown = Reflect.get(globalThis, 'platenRules');
  const texts = new Map<Node, string>();
  for (const [element, rule] of rules instanceof Map ? rules : []) {
    if (!(element instanceof Element) || typeof rule !== 'string') continue;
    const root = element.getRootNode();
    texts.set(root, `${texts.get(root) ?? ''}${pathOf(element)} { ${rule} }\n`);
  }
  for (const [root, text] of texts) {
    if (!(root instanceof Document || root instanceof ShadowRoot)) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    root.adoptedStyleSheets.push(sheet);
    if (list === null) continue;
    const passing: unknown = Reflect.get(globalThis, list);
    const known: readonly unknown[] = Array.isArray(passing) ? passing : [];
    Reflect.set(globalThis, list, [...known, sheet]);
  }
}

function emptySheets(list: string): void {
  const passing: unknown = Reflect.get(globalThis, list);
  for (const sheet of Array.isArray(passing) ? passing : []) if (sheet instanceof CSSStyleSheet) sheet.replaceSync('');
  Reflect.set(globalThis, list, []);
}
