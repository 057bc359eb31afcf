export {
  assertActing,
  carryOut,
  type ActionEvent,
  type ActionObserver,
  type ActionOutcome,
  type ActionParts,
  type Outcome,
} from './carry-out.js';
export { type Credentials, createCredentials, type StartupCredential } from './credentials.js';
export { checkFiles, type GivenFile, readFiles } from './given-files.js';
export { type NamedAction, urlOf } from './resolve-action.js';
export { createUrlScope, type InitialScope, type UrlScope } from './url-scope.js';
