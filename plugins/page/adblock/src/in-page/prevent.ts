// Each function is sent to the page as source text and must not capture outer variables. A needle is a text or a `/regular expression/`; a
// leading `!` inverts the match.

/** Ignores `setTimeout` calls whose function text contains the needle and, if a delay is given, have that delay. */
export function preventTimeout(needle = '', delay = ''): void {
  const negated = needle.startsWith('!');
  const bare = negated ? needle.slice(1) : needle;
  const pattern = /^\/(.+)\/$/.exec(bare)?.[1];
  const holds = (text: string): boolean => (pattern === undefined ? text.includes(bare) : new RegExp(pattern).test(text)) !== negated;
  globalThis.setTimeout = new Proxy(globalThis.setTimeout, {
    apply(target, self, args: unknown[]) {
      const hit = holds(String(args[0])) && (delay === '' || Number(delay) === Number(args[1] ?? 0));
      return Reflect.apply(target, self, hit ? [() => undefined, args[1]] : args) as unknown;
    },
  });
}

/** The same for `setInterval`. */
export function preventInterval(needle = '', delay = ''): void {
  const negated = needle.startsWith('!');
  const bare = negated ? needle.slice(1) : needle;
  const pattern = /^\/(.+)\/$/.exec(bare)?.[1];
  const holds = (text: string): boolean => (pattern === undefined ? text.includes(bare) : new RegExp(pattern).test(text)) !== negated;
  globalThis.setInterval = new Proxy(globalThis.setInterval, {
    apply(target, self, args: unknown[]) {
      const hit = holds(String(args[0])) && (delay === '' || Number(delay) === Number(args[1] ?? 0));
      return Reflect.apply(target, self, hit ? [() => undefined, args[1]] : args) as unknown;
    },
  });
}

/** Ignores listeners whose type contains the first needle and whose text contains the second one. */
export function preventListener(type = '', needle = ''): void {
  const matcher = (wanted: string) => {
    const pattern = /^\/(.+)\/$/.exec(wanted)?.[1];
    return (text: string): boolean => (pattern === undefined ? text.includes(wanted) : new RegExp(pattern).test(text));
  };
  const [isType, isText] = [matcher(type), matcher(needle)];
  EventTarget.prototype.addEventListener = new Proxy(EventTarget.prototype.addEventListener, {
    apply(target, self, args: unknown[]) {
      if (isType(String(args[0])) && isText(String(args[1]))) return undefined;
      return Reflect.apply(target, self, args) as unknown;
    },
  });
}

/** Blocks `window.open` calls whose URL contains the needle. */
export function preventOpen(needle = ''): void {
  const negated = needle.startsWith('!');
  const bare = negated ? needle.slice(1) : needle;
  const pattern = /^\/(.+)\/$/.exec(bare)?.[1];
  const holds = (text: string): boolean => (pattern === undefined ? text.includes(bare) : new RegExp(pattern).test(text)) !== negated;
  globalThis.open = new Proxy(globalThis.open, {
    apply(target, self, args: unknown[]) {
      const [url = ''] = args;
      return holds(url instanceof URL ? url.href : typeof url === 'string' ? url : '')
        ? null
        : (Reflect.apply(target, self, args) as unknown);
    },
  });
}

/** Returns an empty response for fetches whose URL contains the needle. */
export function preventFetch(needle = ''): void {
  const pattern = /^\/(.+)\/$/.exec(needle)?.[1];
  const holds = (text: string): boolean => (pattern === undefined ? text.includes(needle) : new RegExp(pattern).test(text));
  globalThis.fetch = new Proxy(globalThis.fetch, {
    apply(target, self, args: unknown[]) {
      const [asked] = args;
      const url = asked instanceof Request ? asked.url : String(asked);
      return holds(url) ? Promise.resolve(new Response('')) : (Reflect.apply(target, self, args) as unknown);
    },
  });
}
