/**
 * Changes how a page is drawn without the page's observers noticing: adds our own style sheets to the document and its open shadow roots.
 * Their rules name elements by position and follow them. A page's inline style with `!important` wins. State between steps is in our
 * isolated world, which the page cannot see.
 */

import type { Page } from '@platen/kernel';
import { definePageFunction, withFlatTree } from '@platen/lib-page-functions';
import { nameElements, writeRules } from './name-elements.js';

/** Maximum nesting of fixed boxes. */
const MAX_DEPTH = 3;

/** Records the positions of fixed and sticky boxes before the page is scrolled for a screenshot. */
export async function recordFixedElements(page: Page): Promise<void> {
  await page.evaluate(recordPositions);
}

/**
 * Draws fixed and sticky boxes at their recorded positions, so that none covers the scrolled-to element; a box that was not fixed then is
 * drawn where it would have been. `around`: an element whose own ancestors stay where they are.
 */
export async function pinFixedElements(page: Page, around?: string): Promise<void> {
  await unpinFixedElements(page);
  for (let depth = 0; depth < MAX_DEPTH; depth += 1) {
    const { rules, more } = await page.evaluate(ruleAnchored, around ?? null);
    if (rules > 0) await adopt(page, 'platenSheets');
    if (!more) return;
  }
}

/** Reverts `pinFixedElements`. */
export async function unpinFixedElements(page: Page): Promise<void> {
  await page.evaluate(endRules, 'platenSheets');
}

/** Lays out and paints skipped content (`content-visibility: auto`), for screenshots of more than the viewport. */
export async function forceContentPainting(page: Page): Promise<void> {
  if (await page.evaluate(ruleDeferred)) await adoptLasting(page);
}

/** Makes a style sheet for the page's lifetime of the rules that a step stored in `platenRules`, a map from elements to declarations. */
export async function adoptLasting(page: Page): Promise<void> {
  await adopt(page, null);
}

async function adopt(world: Pick<Page, 'evaluate'>, list: string | null): Promise<void> {
  await world.evaluate(adoptRules, list);
}

export interface ShownDeferred {
  /** A document with skipped content has frames: they may have been skipped, too. */
  readonly framed: boolean;
  restore(): Promise<void>;
}

/**
 * Like `forceContentPainting`, until `restore` is called: the boxes read from a document must not depend on the scroll position. `world`: an
 * isolated world of each document.
 */
export async function forceContentVisibility(world: Pick<Page, 'evaluate'>): Promise<ShownDeferred> {
  const waiting = await world.evaluate(ruleDeferred);
  if (!waiting) return { framed: false, restore: () => Promise.resolve() };
  await adopt(world, 'platenDeferred');
  return { framed: waiting === 'framed', restore: () => world.evaluate(endRules, 'platenDeferred') };
}

/**
 * Runs in the page; must not capture outer variables, nor may the functions below. Positions are in CSS pixels of the document; the
 * document's own position is its scroll position.
 */
const recordPositions = withFlatTree((tree): void => {
  const places = new Map<Node, DOMPoint>([[document, new DOMPoint(scrollX, scrollY)]]);
  for (const element of tree.elements(document)) {
    if (!['fixed', 'sticky'].includes(getComputedStyle(element).position)) continue;
    const { x, y } = element.getBoundingClientRect();
    places.set(element, new DOMPoint(x + scrollX, y + scrollY));
  }
  Reflect.set(globalThis, 'platenPlaces', places);
});

/** Moving a fixed box moves the fixed boxes in it, whose positions are known only then: `more`. */
const ruleAnchored = withFlatTree((tree, around: string | null): { rules: number; more: boolean } => {
  const places: unknown = Reflect.get(globalThis, 'platenPlaces');
  const noted = places instanceof Map ? places : new Map<unknown, unknown>();
  const placeOf = (node: Node): DOMPoint | undefined => {
    const place: unknown = noted.get(node);
    return place instanceof DOMPoint ? place : undefined;
  };
  const held = around === null ? null : document.querySelector(around);
  const from = placeOf(document) ?? new DOMPoint(scrollX, scrollY);
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
    if (!['fixed', 'sticky'].includes(position) || (held !== null && element.contains(held))) return undefined;
    const { x: left, y: top } = element.getBoundingClientRect();
    if (position === 'fixed' && !noted.has(element)) noted.set(element, new DOMPoint(left + from.x, top + from.y));
    const was = placeOf(element);
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
  Reflect.set(globalThis, 'platenRules', rules);
  return { rules: rules.size, more };
});

/** Returns whether there is skipped content, and whether there are frames beside it or in it. */
const ruleDeferred = withFlatTree((tree): boolean | 'framed' => {
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
  Reflect.set(globalThis, 'platenRules', rules);
  const framed = rules.size > 0 && elements.some(({ localName }) => ['iframe', 'frame', 'object', 'embed'].includes(localName));
  return framed ? 'framed' : rules.size > 0;
});

/**
 * `list`: collects the functions that remove the style sheets; null: they are permanent. An element named by position is renamed when its
 * position changes, before the page is drawn.
 */
const adoptRules = definePageFunction({ nameElements, writeRules }, ({ nameElements, writeRules }, list: string | null): void => {
  const rules: unknown = Reflect.get(globalThis, 'platenRules');
  const byRoot = new Map<Document | ShadowRoot, Map<Element, string>>();
  for (const [element, rule] of rules instanceof Map ? rules : []) {
    if (!(element instanceof Element) || typeof rule !== 'string') continue;
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
  if (list === null) return;
  const passing: unknown = Reflect.get(globalThis, list);
  const known: readonly unknown[] = Array.isArray(passing) ? passing : [];
  Reflect.set(globalThis, list, [...known, ...ends]);
});

function endRules(list: string): void {
  const passing: unknown = Reflect.get(globalThis, list);
  const ends: readonly unknown[] = Array.isArray(passing) ? passing : [];
  for (const end of ends) if (typeof end === 'function') Reflect.apply(end, undefined, []);
  Reflect.set(globalThis, list, []);
}
