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
        'Require Basic authentication: USER:PASSWORD, or @FILE with one per line. May be repeated. Logs and metrics identify the client by the user name.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'USER:PASSWORD without control characters and with a non-empty password',
    },
  },
  serve({ hooks }, { options, log }) {
    const keyring = reloadKeyring(hooks, { name: NAME, flag: FLAG, log, given: options[FLAG] ?? [], parse: parseUser });
    // After the token and signature plugins: requests that get here have no credential that those accept.
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
