/** A style sheet for the document or shadow root that contains the elements of its rules. */
export interface RuleText {
  readonly text: string;
  /** Parents of elements that are named by position: the text is valid until their child lists change. */
  readonly parents: ReadonlySet<Node>;
}

/** Declarations by element. */
type ElementRules = ReadonlyMap<Element, string>;

/**
 * Runs in the page; must not capture outer variables, nor may the function below. Names each element by its own and its ancestors'
 * positions among their siblings; adjacent siblings with the same declarations form one range.
 */
export function writeRules(rules: ElementRules): RuleText {
  const places = new Map<Element, number>();
  const placeOf = (element: Element): number => {
    const siblings = places.has(element) ? [] : (element.parentNode?.children ?? []);
    Array.from(siblings).forEach((sibling, index) => places.set(sibling, index + 1));
    return places.get(element) ?? 1;
  };
  const parents = new Set<Node>();
  const pathOf = (parent: Node): string => {
    const steps: string[] = [];
    let at = parent;
    for (; at instanceof Element; at = at.parentNode ?? document) {
      parents.add(at);
      steps.unshift(at === document.documentElement ? ':root' : `:nth-child(${String(placeOf(at))})`);
    }
    parents.add(at);
    return [...(at instanceof ShadowRoot ? [':host'] : []), ...steps].join(' > ');
  };
  const ranges = new Map<Node, Map<string, { readonly from: number; to: number }[]>>();
  for (const [element, rule] of rules) {
    const parent = element.parentNode ?? document;
    const inParent = ranges.get(parent) ?? new Map<string, { readonly from: number; to: number }[]>();
    ranges.set(parent, inParent);
    const alike = inParent.get(rule) ?? [];
    inParent.set(rule, alike);
    const place = placeOf(element);
    const last = alike.at(-1);
    if (last?.to === place - 1) last.to = place;
    else alike.push({ from: place, to: place });
  }
  const lines = Array.from(ranges).flatMap(([parent, byRule]) => {
    const path = pathOf(parent);
    const nameOf = ({ from, to }: { readonly from: number; readonly to: number }) => {
      if (path === '') return ':root';
      return `${path} > ${from === to ? `:nth-child(${String(from)})` : `:nth-child(n + ${String(from)}):nth-child(-n + ${String(to)})`}`;
    };
    return Array.from(byRule, ([rule, alike]) => `${alike.map(nameOf).join(', ')} { ${rule} }\n`);
  });
  return { text: lines.join(''), parents };
}

/**
 * Selectors that match only elements with the same declarations. If many elements have the same declarations, as the rows of a list do:
 * names them by classes and tags that no other element has. A rule per row position would be matched against every row.
 */
export function nameElements(root: ParentNode, rules: ElementRules): ReadonlyMap<Element, string> {
  const MANY = 32;
  const namesOf = (element: Element): readonly string[] => [
    ...Array.from(element.classList, (word) => `.${CSS.escape(word)}`),
    CSS.escape(element.localName),
  ];
  const allNamesOf = (element: Element): readonly string[] => {
    const above = element.parentElement === null ? [] : namesOf(element.parentElement);
    const own = namesOf(element);
    return [...own, ...above.flatMap((outer) => own.map((inner) => `${outer} > ${inner}`))];
  };
  const count = (elements: readonly Element[]): ReadonlyMap<string, number> => {
    const counts = new Map<string, number>();
    for (const name of elements.flatMap(allNamesOf)) counts.set(name, (counts.get(name) ?? 0) + 1);
    return counts;
  };
  const names = new Map<Element, string>();
  const groups = new Map<string, Element[]>();
  for (const [element, rule] of rules) {
    const group = groups.get(rule) ?? [];
    groups.set(rule, group);
    group.push(element);
  }
  const large = Array.from(groups.values()).filter(({ length }) => length >= MANY);
  const counts = large.length === 0 ? new Map<string, number>() : count(Array.from(root.querySelectorAll('*')));
  for (const elements of large) {
    const own = count(elements);
    for (const element of elements) {
      const only = allNamesOf(element).filter((name) => own.get(name) === counts.get(name));
      const [most] = only.sort((one, other) => (own.get(other) ?? 0) - (own.get(one) ?? 0));
      if (most !== undefined) names.set(element, most);
    }
  }
  return names;
}
