import { FlatTree } from './flat-tree.js';

/** Classes and functions that run in the page, by the name under which the entry gets them. They must not capture outer variables. */
export type PageParts = Readonly<Record<string, (abstract new (...args: never[]) => unknown) | ((...args: never[]) => unknown)>>;

/**
 * Builds one function for `page.evaluate` from an entry and the classes and functions that it uses: the page receives source text, in which
 * a function alone could not refer to anything else. They are passed as the entry's first argument, so that a bundler may rename them.
 */
export function definePageFunction<P extends PageParts, A extends readonly unknown[], R>(
  parts: P,
  entry: (parts: P, ...args: A) => R,
): (...args: A) => R {
  const list = Object.entries(parts).map(([name, definition]) => `${JSON.stringify(name)}: ${String(definition)}`);
  const source = `function (...args) { return (${String(entry)})({ ${list.join(', ')} }, ...args); }`;
  const call = (...args: A): R => entry(parts, ...args);
  return Object.assign(call, { toString: () => source });
}

/** As `definePageFunction`, for an entry that reads the flat tree and uses nothing else. */
export function withFlatTree<A extends readonly unknown[], R>(entry: (tree: FlatTree, ...args: A) => R): (...args: A) => R {
  return definePageFunction({ FlatTree, entry }, (parts, ...args: A): R => parts.entry(new parts.FlatTree(), ...args));
}

/** Runs in the page; must not capture outer variables. Resolves at the next frame, or after 500 ms in a hidden page, which has none. */
export function nextFrame(): Promise<unknown> {
  return Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
}
