// Each function runs in a page, as text: it refers to nothing outside of itself. A needle is a text or a `/regular expression/`; one that
// begins with `!` means what does not hold it.

/** Sets no timer whose function's text holds the needle, and whose delay is the one given, where one is. */
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

/** The same for intervals. */
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

/** Adds no listener whose type holds the first needle and whose text the second. */
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

/** Opens no window whose URL holds the needle. */
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

/** Answers a fetch whose URL holds the needle with nothing. */
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
