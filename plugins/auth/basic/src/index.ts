import { definePlugin, Stage } from '@platen/kernel';
import {
  BASIC_CHALLENGE,
  decodeBasic,
  isHealthCheck,
  parseUser,
  readCredential,
  credentialError,
  reloadKeyring,
  USER_PATTERN,
} from '@platen/lib-credentials';
import type {} from '@platen/server';

const NAME = 'auth-basic';
const FLAG = 'server-basic-auth';
const EXPECTED = 'Basic <base64 of user:password>';

/** `Authorization: Basic ...` (RFC 7617; the interface specification, Authentication). */
export default definePlugin({
  name: NAME,
  flags: {
    [FLAG]: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: USER_PATTERN },
      minItems: 1,
      description:
        'Basic auth requirement for requests: USER:PASSWORD, or @FILE with a line each. May be repeated. Logs and metrics know who asks by the user.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD, neither with control characters, the password not empty',
    },
  },
  serve({ hooks }, { options, log }) {
    const keyring = reloadKeyring(hooks, { name: NAME, flag: FLAG, log, given: options[FLAG] ?? [], parse: parseUser });
    // Behind the token's say and the signature's: what gets here has no credential that they know.
    hooks.authorize.tap({ name: NAME, stage: Stage.late }, (request) => {
      if (keyring.isEmpty || isHealthCheck(request)) return undefined;
      const credential = readCredential(request.headers.authorization);
      const given = credential?.scheme === 'basic' ? decodeBasic(credential.text) : undefined;
      const identity = given === undefined ? undefined : keyring.identify(given);
      if (identity !== undefined) return { identity };
      request.header('WWW-Authenticate', BASIC_CHALLENGE);
      throw credentialError(credential === undefined ? 'missing_credential' : 'wrong_credential', EXPECTED);
    });
  },
});
