/**
 * Carries out actions whose values have names (`credential:NAME`, `data:NAME`), for plugins that act in a page for a client. Credentials
 * go only to their sites and into fields that fit, files and data only where they may, and actions that could copy a credential elsewhere
 * are refused. `lib-actor` acts.
 *
 * @packageDocumentation
 */

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
