export { readCredential, type Credential } from './authorization.js';
export { BASIC_CHALLENGE, decodeBasic, parseUser, USER_PATTERN } from './basic.js';
export { createKeyring, type Key, type Keyring } from './keyring.js';
export { isHealthCheck, credentialError, type CredentialFault } from './credential-error.js';
export { reloadKeyring, type ReloadHooks, type ReloadKeyringOptions } from './reload-keyring.js';
export { createReread, type Reread, type RereadOptions } from './reread.js';
