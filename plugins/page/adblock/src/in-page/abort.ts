import { createMatcher } from './text-matcher.js';

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
