export {
  BASIC_CHALLENGE,
  type Credential,
  credentialError,
  type CredentialErrorReason,
  decodeBasic,
  isHealthCheck,
  parseUser,
  readCredential,
  USER_PATTERN,
} from './credential.js';
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
