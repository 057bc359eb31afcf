import { createInvertibleMatcher, createMatcher } from './text-matcher.js';

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
