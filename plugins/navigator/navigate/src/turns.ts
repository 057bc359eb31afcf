import type { Model } from '@platen/lib-models';
import type { Navigators } from './navigators.js';

/** Whose turn it is. A navigator that was escalated to acts for a few actions, or until it leaves the page; then the first one continues. */
export interface Turns {
  readonly current: Model;
  /** Another navigator than the first one acts. */
  readonly isGuest: boolean;
  /** Names of the navigators that the current one can escalate to. */
  readonly others: readonly string[];
  /** Gives the turn to a navigator. False if there is none of that name. */
  escalate(name: string, url: string): boolean;
  /** The next navigator that has not failed, or undefined. */
  next(): Model | undefined;
  /** An action was carried out, which has led to the URL. Returns true if the turn is over. */
  acted(url: string): boolean;
  /** The current navigator does not answer: it is not asked again. False if no other one is left. */
  drop(): boolean;
}

export function createTurns({ first, others }: Navigators, escalationMax: number): Turns {
  const failed = new Set<Model>();
  let main = first;
  let guest: { readonly model: Model; readonly url: string; left: number } | undefined;
  const able = () => [first, ...others].filter((model) => !failed.has(model));
  const current = () => guest?.model ?? main;
  const give = (model: Model, url: string) => {
    guest = { model, url, left: escalationMax };
  };
  return {
    get current() {
      return current();
    },
    get isGuest() {
      return guest !== undefined;
    },
    get others() {
      return [...new Set(others.filter((model) => model !== current() && !failed.has(model)).map(({ name }) => name))];
    },
    escalate(name, url) {
      const model = others.find((one) => one.name === name && one !== current() && !failed.has(one));
      if (model !== undefined) give(model, url);
      return model !== undefined;
    },
    next() {
      return others.find((model) => model !== current() && !failed.has(model));
    },
    acted(url) {
      if (guest === undefined) return false;
      guest.left -= 1;
      if (guest.left > 0 && guest.url === url) return false;
      guest = undefined;
      return true;
    },
    drop() {
      failed.add(current());
      guest = undefined;
      const [next] = able();
      if (next === undefined) return false;
      main = failed.has(main) ? next : main;
      return true;
    },
  };
}
