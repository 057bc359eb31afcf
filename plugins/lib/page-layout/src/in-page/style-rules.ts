import { FlatTree } from '@platen/lib-page-functions';
import { isPageScroller } from './measure-document.js';
import { nameElements, writeRules } from './name-elements.js';
import { world } from './world.js';

/** Returns whether there is skipped content, and whether there are frames beside it or in it. */
export function collectVisibilityRules(): boolean | 'framed' {
  const tree = new FlatTree();
  const rules = new Map<Element, string>();
  const elements = tree.elements(document);
  for (const element of elements) {
    const { contentVisibility, contain } = getComputedStyle(element);
    if (contentVisibility !== 'auto') continue;
    // Keeps the containment that `auto` also applies in view: margins and overflow stay the same.
    const others = contain.split(' ').filter((word) => !['none', 'content', 'layout', 'style', 'paint'].includes(word));
    const containment = others.includes('strict') ? 'strict' : ['layout', 'style', 'paint', ...others].join(' ');
    rules.set(element, `content-visibility: visible !important; contain: ${containment} !important;`);
  }
  world.platenRules = rules;
  const framed = rules.size > 0 && elements.some(({ localName }) => ['iframe', 'frame', 'object', 'embed'].includes(localName));
  return framed ? 'framed' : rules.size > 0;
}

/** Returns whether there are such backgrounds. */
export function collectBackgroundRules(): boolean {
  const tree = new FlatTree();
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
  world.platenRules = rules;
  return rules.size > 0;
}

/**
 * Returns whether there is such a box. `again`: previously expanded boxes do not count.
 */
export function collectExpandRules({ again }: { readonly again: boolean }): boolean {
  const tree = new FlatTree();
  const hiddenIn = ({ scrollHeight, clientHeight }: Element) => scrollHeight - clientHeight;
  const tried = again ? (world.platenExpanded ?? []) : [];
  const grows = (element: Element) =>
    !tried.includes(element) && !(element instanceof HTMLElement && element.style.getPropertyPriority('min-height') === 'important');
  const [box] = tree
    .elements(document)
    .filter(grows)
    .filter((element) => element !== document.documentElement && isPageScroller(element, innerHeight))
    .sort((one, other) => hiddenIn(other) - hiddenIn(one));
  if (box === undefined) return false;
  world.platenExpanded = [...tried, box];
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
    const edgeSizes = style.boxSizing === 'border-box' ? 0 : edges.reduce((sum, edge) => sum + (parseFloat(edge) || 0), 0);
    // Elements fixed to the window are not part of the document.
    const place = style.position === 'fixed' ? ' position: absolute !important;' : '';
    rules.set(element, `min-height: ${String(height + lack - edgeSizes)}px !important; transition: none !important;${place}`);
  }
  world.platenRules = rules;
  return true;
}

/** Returns whether the page scrolls in boxes, rather than in the window. On paper of any width they are as high as their content. */
export function collectUnrollRules(): boolean {
  const tree = new FlatTree();
  const { documentElement } = document;
  const hidden = documentElement.scrollHeight - innerHeight;
  const boxes = tree
    .elements(document)
    .filter((element) => element !== documentElement && isPageScroller(element, innerHeight))
    .filter(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight > hidden);
  const rules = new Map<Element, string>();
  for (const element of boxes.flatMap((box) => [box, ...tree.ancestors(box)])) {
    // A fixed element is printed on each PDF page.
    const place = getComputedStyle(element).position === 'fixed' ? ' position: absolute !important;' : '';
    rules.set(
      element,
      `height: auto !important; max-height: none !important; bottom: auto !important; overflow: visible !important; contain: none !important;${place}`,
    );
  }
  world.platenRules = rules;
  return rules.size > 0;
}

/** Positions are in CSS pixels of the document; the document's own position is its scroll position. */
export function recordPositions(): void {
  const tree = new FlatTree();
  const places = new Map<Node, DOMPoint>([[document, new DOMPoint(scrollX, scrollY)]]);
  for (const element of tree.elements(document)) {
    if (!['fixed', 'sticky'].includes(getComputedStyle(element).position)) continue;
    const { x, y } = element.getBoundingClientRect();
    places.set(element, new DOMPoint(x + scrollX, y + scrollY));
  }
  world.platenPlaces = places;
}

/** Moving a fixed box moves the fixed boxes in it, whose positions are known only then: `more`. */
export function collectPinRules(selector: string | null): { rules: number; more: boolean } {
  const tree = new FlatTree();
  const places = world.platenPlaces ?? new Map<Node, DOMPoint>();
  const shown = selector === null ? null : document.querySelector(selector);
  const from = places.get(document) ?? new DOMPoint(scrollX, scrollY);
  // As soon as our rule ends, the box continues from the position at which the rule held it.
  const slides = (element: Element) =>
    (scrollX !== from.x || scrollY !== from.y) &&
    element.getAnimations().some((animation) => animation instanceof CSSTransition && animation.transitionProperty === 'translate');
  // Lengths, percentages, and functions, which may be nested.
  const partsOf = (translate: string) => translate.match(/(?:[^ ()]|\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))+/g) ?? [];
  const rules = new Map<Element, string>();
  let more = false;
  const isHeld = (element: Element) => tree.ancestors(element).some((at) => rules.get(at)?.startsWith('translate') === true);
  const ruleOf = (element: Element): string | undefined => {
    const { position, translate } = getComputedStyle(element);
    if (!['fixed', 'sticky'].includes(position) || (shown !== null && element.contains(shown))) return undefined;
    const { x: left, y: top } = element.getBoundingClientRect();
    if (position === 'fixed' && !places.has(element)) places.set(element, new DOMPoint(left + from.x, top + from.y));
    const was = places.get(element);
    const by = was && new DOMPoint(was.x - left - scrollX, was.y - top - scrollY);
    if (by !== undefined && Math.abs(by.x) < 0.5 && Math.abs(by.y) < 0.5 && !slides(element)) return undefined;
    if (position === 'sticky') return 'position: relative !important; inset: auto !important;';
    const inner = isHeld(element);
    more ||= inner;
    if (by === undefined || inner) return undefined;
    const [x = '0px', y = '0px', ...z] = translate === 'none' ? [] : partsOf(translate);
    const add = (part: string, length: number) => `calc(${part} + ${String(length / element.currentCSSZoom)}px)`;
    return `translate: ${[add(x, by.x), add(y, by.y), ...z].join(' ')} !important; transition: none !important;`;
  };
  for (const element of tree.elements(document)) {
    const rule = ruleOf(element);
    if (rule !== undefined) rules.set(element, rule);
  }
  world.platenRules = rules;
  return { rules: rules.size, more };
}

type SheetList = 'platenSheets' | 'platenDeferred';

/**
 * `list`: collects the functions that remove the style sheets; null: they are permanent. An element named by position is renamed when its
 * position changes, before the page is drawn.
 */
export function adoptRules(list: SheetList | null): void {
  const byRoot = new Map<Document | ShadowRoot, Map<Element, string>>();
  for (const [element, rule] of world.platenRules ?? []) {
    const root = element.getRootNode();
    if (!(root instanceof Document || root instanceof ShadowRoot)) continue;
    byRoot.set(root, (byRoot.get(root) ?? new Map<Element, string>()).set(element, rule));
  }
  const adopt = (root: Document | ShadowRoot, ruled: Map<Element, string>): (() => void) => {
    const names = nameElements(root, ruled);
    const named = new Set(Array.from(names, ([element, name]) => `${name} { ${ruled.get(element) ?? ''} }\n`));
    const placed = Array.from(ruled).filter(([element]) => !names.has(element));
    const sheet = new CSSStyleSheet();
    let [parents, lost]: readonly [ReadonlySet<Node>, boolean] = [new Set(), false];
    const write = (): void => {
      const here = placed.filter(([element]) => element.getRootNode() === root);
      const written = writeRules(new Map(here));
      [parents, lost] = [written.parents, here.length < placed.length];
      sheet.replaceSync([...named, written.text].join(''));
    };
    write();
    root.adoptedStyleSheets.push(sheet);
    const observer = new MutationObserver((records) => {
      if (lost || records.some(({ target }) => parents.has(target))) write();
      if (!root.adoptedStyleSheets.includes(sheet)) root.adoptedStyleSheets.push(sheet);
    });
    if (placed.length > 0) observer.observe(root, { childList: true, subtree: true });
    return () => {
      observer.disconnect();
      const at = root.adoptedStyleSheets.indexOf(sheet);
      if (at >= 0) root.adoptedStyleSheets.splice(at, 1);
    };
  };
  const ends = Array.from(byRoot, ([root, ruled]) => adopt(root, ruled));
  if (list !== null) world[list] = [...(world[list] ?? []), ...ends];
}

export function removeRules(list: SheetList): void {
  for (const remove of world[list] ?? []) remove();
  world[list] = [];
}
