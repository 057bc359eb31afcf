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
