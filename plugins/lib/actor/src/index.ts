export { createActor } from './actor.js';
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
