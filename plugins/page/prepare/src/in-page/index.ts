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
