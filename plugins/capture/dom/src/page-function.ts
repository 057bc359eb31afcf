/** Classes and functions that run in the page, by the name under which the entry gets them. They must not capture outer variables. */
export type PageClasses = Readonly<Record<string, (abstract new (...args: never[]) => unknown) | ((...args: never[]) => unknown)>>;

/**
 * Builds one function for `page.evaluate` from an entry and the classes that it uses: the page receives source text, in which a function
 * alone could not refer to anything else. The classes are passed as the entry's first argument, so that a bundler may rename them.
 */
export function definePageFunction<C extends PageClasses, A extends readonly unknown[], R>(
  classes: C,
  entry: (classes: C, ...args: A) => R,
): (...args: A) => R {
  const list = Object.entries(classes).map(([name, definition]) => `${JSON.stringify(name)}: ${String(definition)}`);
  const source = `function (...args) { return (${String(entry)})({ ${list.join(', ')} }, ...args); }`;
  const call = (...args: A): R => entry(classes, ...args);
  return Object.assign(call, { toString: () => source });
}
