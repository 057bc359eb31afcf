import { Keeper, type Rules } from './keeper.js';

/** In the isolated world of a document. */
interface World {
  platenKeeper?: Keeper;
}

/** Applies the rules to the document. Again: replaces them, and applies them to all that has appeared. */
export function keepRules(rules: Rules): void {
  // No other script writes there.
  const world = globalThis as World;
  world.platenKeeper ??= new Keeper();
  world.platenKeeper.set(rules);
}

/** The index of the first selector that is not valid; -1 if all are. */
export function findInvalid(selectors: readonly string[]): number {
  const fragment = document.createDocumentFragment();
  return selectors.findIndex((selector) => {
    try {
      fragment.querySelector(selector);
      return false;
    } catch {
      return true;
    }
  });
}
