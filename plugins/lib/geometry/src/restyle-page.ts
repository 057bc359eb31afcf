import type { Page } from '@platen/kernel';

/**
 * Changes to how a page is drawn that its own observers do not see: style sheets of ours, in the document and its open shadow roots,
 * whose rules name elements by their place. What a page fixes by an inline style of its own with `!important` stays.
 */

/** Remembers where fixed and sticky boxes stand, before the page is scrolled for a picture. */
export async function noteAnchored(page: Page): Promise<void> {
  await page.evaluate(restyle, { task: 'note', around: null });
}

/**
 * Draws fixed and sticky boxes where they stood when they were noted, so that none covers what was scrolled to; of a box that was not
 * fixed then, where it would have been. `around`: an element whose own boxes stay where they are.
 */
export async function keepAnchored(page: Page, around?: string): Promise<void> {
  await page.evaluate(restyle, { task: 'keep', around: around ?? null });
}

/** Ends what `keepAnchored` does. */
export async function releaseAnchored(page: Page): Promise<void> {
  await page.evaluate(restyle, { task: 'release', around: null });
}

/** Lays out and paints what waits out of sight (`content-visibility: auto`), for pictures of more than is in view. */
export async function paintDeferred(page: Page): Promise<void> {
  await page.evaluate(restyle, { task: 'paint', around: null });
}

interface Restyling {
  readonly task: 'note' | 'keep' | 'release' | 'paint';
  readonly around: string | null;
}

/** Runs in the page: closes over nothing. What it remembers, it remembers in the world of our own scripts. */
function restyle({ task, around }: Restyling): void {
  const remembered = (name: string): Map<unknown, unknown> => {
    const known: unknown = Reflect.get(globalThis, name);
    if (known instanceof Map) return known;
    const fresh = new Map<unknown, unknown>();
    Reflect.set(globalThis, name, fresh);
    return fresh;
  };
  const places = remembered('platenPlaces');
  const sheets = remembered('platenSheets');

  const placeOf = (element: Element): DOMPoint => {
    const { x, y } = element.getBoundingClientRect();
    return new DOMPoint(x + scrollX, y + scrollY);
  };
  const pathOf = (element: Element): string => {
    const steps: string[] = [];
    let at: Element = element;
    for (let parent = at.parentElement; parent !== null; parent = at.parentElement) {
      steps.unshift(`:nth-child(${String(Array.prototype.indexOf.call(parent.children, at) + 1)})`);
      at = parent;
    }
    const root = at.getRootNode();
    if (!(root instanceof ShadowRoot)) return [':root', ...steps].join(' > ');
    return [':host', `:nth-child(${String(Array.prototype.indexOf.call(root.children, at) + 1)})`, ...steps].join(' > ');
  };
  const held = (element: Element): boolean => around !== null && element.contains(document.querySelector(around));

  const keptInPlace = (element: Element, { position, translate }: CSSStyleDeclaration): string | undefined => {
    if (position === 'sticky' || position === '-webkit-sticky') {
      const was = places.get(element);
      const now = placeOf(element);
      const stayed = was instanceof DOMPoint && Math.abs(was.x - now.x) < 0.5 && Math.abs(was.y - now.y) < 0.5;
      return stayed || held(element) ? undefined : 'position: relative !important; inset: auto !important;';
    }
    if (position !== 'fixed' || held(element)) return undefined;
    const now = placeOf(element);
    const from = places.get(document);
    const base = from instanceof DOMPoint ? from : new DOMPoint(scrollX, scrollY);
    const was = places.get(element) ?? new DOMPoint(now.x - scrollX + base.x, now.y - scrollY + base.y);
    if (!(was instanceof DOMPoint) || translate.includes('%')) return undefined;
    const [x = 0, y = 0] = translate === 'none' ? [] : translate.split(' ').map(parseFloat);
    const [byX, byY] = [was.x - now.x, was.y - now.y];
    if (Math.abs(byX) < 0.5 && Math.abs(byY) < 0.5) return undefined;
    return `translate: ${String(x + byX)}px ${String(y + byY)}px !important; transition: none !important;`;
  };
  const painted = ({ contentVisibility, contain }: CSSStyleDeclaration): string | undefined => {
    if (contentVisibility !== 'auto') return undefined;
    // The containment that `auto` brings with it in view, too: margins and overflow stay as they are.
    const others = contain.split(' ').filter((word) => !['none', 'content', 'layout', 'style', 'paint', ''].includes(word));
    const containment = others.includes('strict') ? 'strict' : ['layout', 'style', 'paint', ...others].join(' ');
    return `content-visibility: visible !important; contain: ${containment} !important;`;
  };
  const ruleOf = (element: Element): string | undefined => {
    const style = getComputedStyle(element);
    if (task === 'paint') return painted(style);
    if (task === 'keep') return keptInPlace(element, style);
    if (['fixed', 'sticky', '-webkit-sticky'].includes(style.position)) places.set(element, placeOf(element));
    return undefined;
  };

  if (task === 'note') {
    places.clear();
    places.set(document, new DOMPoint(scrollX, scrollY));
  } else if (task !== 'paint') {
    for (const sheet of sheets.values()) if (sheet instanceof CSSStyleSheet) sheet.replaceSync('');
  }
  const visit = (root: Document | ShadowRoot): void => {
    const rules: string[] = [];
    for (const element of root.querySelectorAll('*')) {
      const rule = ruleOf(element);
      if (rule !== undefined) rules.push(`${pathOf(element)} { ${rule} }`);
      if (element.shadowRoot !== null) visit(element.shadowRoot);
    }
    if (rules.length === 0) return;
    const kept = task === 'keep' ? sheets.get(root) : undefined;
    const sheet = kept instanceof CSSStyleSheet ? kept : new CSSStyleSheet();
    sheet.replaceSync(rules.join('\n'));
    if (sheet === kept) return;
    if (task === 'keep') sheets.set(root, sheet);
    root.adoptedStyleSheets.push(sheet);
  };
  if (task !== 'release') visit(document);
}
