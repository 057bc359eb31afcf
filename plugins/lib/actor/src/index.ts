/**
 * Carries out actions on elements of a page as a user would: scrolls to the element, waits until it is connected, enabled, at rest and
 * topmost (5 s at most), then sends real input. For navigators and steps.
 *
 * `perform` returns the element's facts and the tab or dialog that the action opened; an action that fails throws an `ActionError`, whose
 * message is a clause for a model. `settle` waits until requests, navigations and changes of the document have ended. A dialog stays open
 * until it is answered; a popup becomes current. All code in pages runs in an isolated world, and the clipboard of the browser is never
 * read.
 *
 * Limits: `paste`, and `input` and `change` of values that are set, are not trusted events; text is inserted as a whole; the first tab
 * cannot be closed; requests of workers and changes in closed shadow trees do not delay `settle`; pages can notice the style by which
 * `secret` hides characters.
 *
 * @packageDocumentation
 */

export { createActor } from './actor.js';
export { type Attempt, startAttempt } from './attempt.js';
export { closedRootsOf, openElement, openNode, type PageElement } from './element.js';
export { pathOf } from './frames.js';
export { clipboardUse, type KeyCombination, parseKeys } from './keyboard.js';
export {
  ActionError,
  type Action,
  type ActionLimit,
  type Actor,
  type DialogFacts,
  type Direction,
  type ElementFacts,
  type Modifier,
  type Performed,
  type Point,
  type Secret,
  type Tab,
  type UploadFile,
} from './action.js';
