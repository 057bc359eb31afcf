export { BASIC_CHALLENGE, decodeBasic, parseUser, USER_PATTERN } from './basic.js';
export { credentialError, isHealthCheck, readCredential, type Credential, type CredentialErrorReason } from './credential.js';
export {
  createKeyring,
  createReread,
  reloadKeyring,
  type Key,
  type Keyring,
  type ReloadHooks,
  type ReloadKeyringOptions,
  type Reread,
  type RereadOptions,
} from './keyring.js';
