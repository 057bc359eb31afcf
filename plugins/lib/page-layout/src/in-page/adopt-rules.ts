import { nameElements, writeRules } from './name-elements.js';
import { world } from './world.js';

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
