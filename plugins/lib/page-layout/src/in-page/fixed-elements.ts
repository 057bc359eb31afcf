import { FlatTree } from '@platen/lib-page-functions';
import { world } from './world.js';

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
