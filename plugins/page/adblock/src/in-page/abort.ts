// Each function is sent to the page as source text and must not capture outer variables.

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
  const names = chain.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    globalThis,
  );
  if (typeof owner !== 'object' || owner === null) return;
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
  const pattern = /^\/(.+)\/$/.exec(needle)?.[1];
  const holds = (text: string): boolean => (pattern === undefined ? text.includes(needle) : new RegExp(pattern).test(text));
  const names = chain.split('.');
  const last = names.pop() ?? '';
  const owner = names.reduce<unknown>(
    (at, name) => (typeof at === 'object' && at !== null ? Reflect.get(at, name) : undefined),
    globalThis,
  );
  if (typeof owner !== 'object' || owner === null) return;
  const own = document.currentScript;
  const before = Object.getOwnPropertyDescriptor(owner, last);
  let held: unknown = Reflect.get(owner, last);
  const check = (): void => {
    const script = document.currentScript;
    if (script instanceof HTMLScriptElement && script !== own && script.src === '' && holds(script.textContent)) {
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
