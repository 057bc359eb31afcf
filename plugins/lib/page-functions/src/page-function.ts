import { FlatTree } from './flat-tree.js';

/**
 * A function for `page.evaluate` that reads the flat tree, which is the first argument of `fn`. `fn` must not capture outer variables: the
 * page receives its source text and that of `FlatTree`.
 */
export function withFlatTree<A extends readonly unknown[], R>(fn: (tree: FlatTree, ...args: A) => R): (...args: A) => R {
  const source = `function (...args) { return (${String(fn)})(new (${String(FlatTree)})(), ...args); }`;
  const call = (...args: A): R => fn(new FlatTree(), ...args);
  return Object.assign(call, { toString: () => source });
}

/** Runs in the page; must not capture outer variables. Resolves at the next frame, or after 500 ms in a hidden page, which has none. */
export function nextFrame(): Promise<unknown> {
  return Promise.race([new Promise((resolve) => requestAnimationFrame(resolve)), new Promise((resolve) => setTimeout(resolve, 500))]);
}
