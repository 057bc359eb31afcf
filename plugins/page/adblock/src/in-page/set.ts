/** Fixes a property at the end of a chain like `a.b.c` to one of a few harmless values. Later assignments are ignored. */
export function setConstant(chain: string, named: string): void {
  const VALUES: Readonly<Record<string, unknown>> = {
    undefined: undefined,
    null: null,
    true: true,
    false: false,
    '': '',
    emptyObj: {},
    emptyArr: [],
    noopFunc: () => undefined,
    trueFunc: () => true,
    falseFunc: () => false,
  };
  const known = Object.hasOwn(VALUES, named);
  if (!known && !/^-?\d{1,5}$/.test(named)) return;
  const value = known ? VALUES[named] : Number(named);
  const fix = (owner: object, [name = '', ...rest]: readonly string[]): void => {
    let held: unknown = Reflect.get(owner, name);
    if (rest.length === 0) held = value;
    else if (typeof held === 'object' && held !== null) {
      fix(held, rest);
      return;
    }
    try {
      Object.defineProperty(owner, name, {
        configurable: true,
        get: () => held,
        set(next: unknown) {
          if (rest.length === 0) return;
          held = next;
          if (typeof next === 'object' && next !== null) fix(next, rest);
        },
      });
    } catch {
      // The page has already made the property non-configurable.
    }
  };
  fix(globalThis, chain.split('.'));
}

/** Removes attributes (separated by `|`) from elements that match the selector, for the lifetime of the document. */
export function removeAttribute(names: string, selector = `[${names.split('|').join('],[')}]`): void {
  const strip = (): void => {
    for (const element of document.querySelectorAll(selector)) for (const name of names.split('|')) element.removeAttribute(name);
  };
  new MutationObserver(strip).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: names.split('|') });
  strip();
}

/** Removes classes (separated by `|`) from elements that match the selector, for the lifetime of the document. */
export function removeClass(names: string, selector = `.${names.split('|').join(',.')}`): void {
  const strip = (): void => {
    for (const element of document.querySelectorAll(selector)) {
      for (const name of names.split('|')) if (element.classList.contains(name)) element.classList.remove(name);
    }
  };
  new MutationObserver(strip).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['class'] });
  strip();
}
