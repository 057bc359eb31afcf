import { definePlugin, Stage } from '@platen/kernel';
import { isHealthCheck, readCredential, credentialError, reloadKeyring } from '@platen/lib-credentials';
import type {} from '@platen/server';
import { parseToken, TOKEN_PATTERN } from './parse-token.js';

const NAME = 'auth-token';
const FLAG = 'server-token-auth';
const CHALLENGE = 'Bearer realm="Platen"';
const EXPECTED = 'Bearer <token>';

/** `Authorization: Bearer ...` (RFC 6750; the interface specification, Authentication). */
export default definePlugin({
  name: NAME,
  flags: {
    [FLAG]: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: TOKEN_PATTERN },
      minItems: 1,
      description:
        'Token auth requirement for requests: TOKEN, NAME:TOKEN, or @FILE with a line each. May be repeated. Logs and metrics know who asks by the name.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'TOKEN or NAME:TOKEN, the token printable ASCII without blanks, the name up to 64 letters, digits and . _ -',
    },
  },
  serve({ hooks }, { options, log }) {
    const keyring = reloadKeyring(hooks, { name: NAME, flag: FLAG, log, given: options[FLAG] ?? [], parse: parseToken });
    // Before anybody else looks at a header: where there are tokens, only they authorize.
    hooks.authorize.tap({ name: NAME, stage: Stage.early }, (request) => {
      const credential = readCredential(request.headers.authorization);
      if (credential === undefined || keyring.isEmpty || isHealthCheck(request)) return undefined;
      const identity = credential.scheme === 'bearer' ? keyring.identify(credential.text) : undefined;
      if (identity !== undefined) return { identity };
      // RFC 6750, 3: the error is for who has sent a token.
      request.header('WWW-Authenticate', credential.scheme === 'bearer' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
      throw credentialError('wrong_credential', EXPECTED);
    });
    // Behind the signature's say: without a header it may have let the request in.
    hooks.authorize.tap({ name: NAME, stage: Stage.normal }, (request) => {
      if (keyring.isEmpty || isHealthCheck(request)) return undefined;
      request.header('WWW-Authenticate', CHALLENGE);
      throw credentialError('missing_credential', EXPECTED);
    });
  },
});
