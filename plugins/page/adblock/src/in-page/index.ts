type TextMatcher = (text: string) => boolean;

/** Whether a text contains the needle, a text or a `/regular expression/`. */
function createMatcher(needle: string): TextMatcher {
  const pattern = /^\/(.+)\/$/.exec(needle)?.[1];
  return (text) => (pattern === undefined ? text.includes(needle) : new RegExp(pattern).test(text));
}

/** As `createMatcher`; a leading `!` inverts the match. */
function createInvertibleMatcher(needle: string): TextMatcher {
  if (!needle.startsWith('!')) return createMatcher(needle);
  const matches = createMatcher(needle.slice(1));
  return (text) => !matches(text);
}

/** Throws in scripts that read a property at the end of a chain like `a.b.c`. */
export function abortOnRead(chain: string): void {
  const abort = (): never => {
    throw new ReferenceError(`${chain} is not defined`);
  };
  const watch = (owner: object, [name = '', ...rest]: readonly string[]): void => {
    let held: unknown = Reflect.get(owner, name);
    if (rest.length > 0 && typeof held === 'object' && held !== null) {
      watch(held, rest);
      return;
    }
    Object.defineProperty(owner, name, {
      configurable: true,
      get: () => (rest.length === 0 ? abort() : held),
      set(next: unknown) {
        held = next;
        if (rest.length > 0 && typeof next === 'object' && next !== null) watch(next, rest);
      },
    });
  };
  watch(globalThis, chain.split('.'));
}

/** Throws in scripts that set a property at the end of a chain like `a.b.c`. */
export function abortOnWrite(chain: string): void {
  const { owner, last } = findOwner(chain);
  if (owner === undefined) return;
  Object.defineProperty(owner, last, {
    configurable: true,
    get: () => undefined,
    set() {
      throw new ReferenceError(`${chain} is not writable`);
    },
  });
}

/** Throws in inline scripts that read a property and whose text contains the needle, a text or a `/regular expression/`. */
export function abortScript(chain: string, needle = ''): void {
  const matches = createMatcher(needle);
  const { owner, last } = findOwner(chain);
  if (owner === undefined) return;
  const own = document.currentScript;
  const before = Object.getOwnPropertyDescriptor(owner, last);
  let held: unknown = Reflect.get(owner, last);
  const check = (): void => {
    const script = document.currentScript;
    if (script instanceof HTMLScriptElement && script !== own && script.src === '' && matches(script.textContent)) {
      throw new ReferenceError(`${chain} is not defined`);
    }
  };
  Object.defineProperty(owner, last, {
    configurable: true,
    get() {
      check();
      return before?.get ? (Reflect.apply(before.get, owner, []) as unknown) : held;
    },
    set(next: unknown) {
      check();
      if (before?.set) Reflect.apply(before.set, owner, [next]);
      else held = next;
    },
  });
}

/** The object with the last property of a chain; undefined if there is none yet. */
function findOwner(chain: string): { readonly owner: object | undefined; readonly last: string } {
  const names = chain.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    globalThis,
  );
  return { owner: typeof owner === 'object' && owner !== null ? owner : undefined, last };
}

/** Ignores `setTimeout` calls whose function text contains the needle and, if a delay is given, have that delay. */
export function preventTimeout(needle = '', delay = ''): void {
  globalThis.setTimeout = ignoreCalls(globalThis.setTimeout, needle, delay);
}

/** The same for `setInterval`. */
export function preventInterval(needle = '', delay = ''): void {
  globalThis.setInterval = ignoreCalls(globalThis.setInterval, needle, delay);
}

function ignoreCalls<F extends typeof setTimeout | typeof setInterval>(timer: F, needle: string, delay: string): F {
  const matches = createInvertibleMatcher(needle);
  return new Proxy(timer, {
    apply(target, self, args: unknown[]) {
      const hit = matches(String(args[0])) && (delay === '' || Number(delay) === Number(args[1] ?? 0));
      return Reflect.apply(target, self, hit ? [() => undefined, args[1]] : args) as unknown;
    },
  });
}

/** Ignores listeners whose type contains the first needle and whose text contains the second one. */
export function preventListener(type = '', needle = ''): void {
  const [isType, isText] = [createMatcher(type), createMatcher(needle)];
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply(target, self, args: unknown[]) {
      if (isType(String(args[0])) && isText(String(args[1]))) return undefined;
      return Reflect.apply(target, self, args) as unknown;
    },
  });
}

/** Blocks `window.open` calls whose URL contains the needle. */
export function preventOpen(needle = ''): void {
  const matches = createInvertibleMatcher(needle);
  globalThis.open = new Proxy(globalThis.open, {
    apply(target, self, args: unknown[]) {
      const [url = ''] = args;
      return matches(url instanceof URL ? url.href : typeof url === 'string' ? url : '')
        ? null
        : (Reflect.apply(target, self, args) as unknown);
    },
  });
}

/** Returns an empty response for fetches whose URL contains the needle. */
export function preventFetch(needle = ''): void {
  const matches = createMatcher(needle);
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply(target, self, args: unknown[]) {
      const [asked] = args;
      const url = asked instanceof Request ? asked.url : String(asked);
      return matches(url) ? Promise.resolve(new Response('')) : (Reflect.apply(target, self, args) as unknown);
    },
  });
}

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
