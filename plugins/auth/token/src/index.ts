import { createHash } from 'node:crypto';
import { definePlugin, Stage } from '@platen/kernel';
import { credentialError, isHealthCheck, type Key, readCredential, reloadKeyring } from '@platen/lib-credentials';
import type {} from '@platen/server';

/**
 * `TOKEN`, `NAME:TOKEN` or `:TOKEN`. A token of RFC 6750 contains no colon but may end in equals signs: the first colon ends the
 * name. A header value is printable ASCII without spaces.
 */
const TOKEN_PATTERN = String.raw`^(?:(?:[A-Za-z0-9][A-Za-z0-9._-]{0,63})?:[\x21-\x7e]+|[\x21-\x39\x3b-\x7e]+)$`;

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
        'Require a bearer token: TOKEN, NAME:TOKEN, or @FILE with one per line. May be repeated. Logs and metrics identify the client by the name.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'TOKEN or NAME:TOKEN: a token of printable ASCII without spaces, a name of up to 64 letters, digits and . _ -',
    },
  },
  serve({ hooks }, { options, log }) {
    const keyring = reloadKeyring(hooks, { name: NAME, flag: FLAG, log, given: options[FLAG] ?? [], parse: parseToken });
    // Before other plugins read a header: if tokens are configured, only tokens authorize.
    hooks.authorize.tap({ name: NAME, stage: Stage.early }, (request) => {
      const credential = readCredential(request.headers.authorization);
      if (credential === undefined || keyring.isEmpty || isHealthCheck(request)) return undefined;
      const identity = credential.scheme === 'bearer' ? keyring.identify(credential.text) : undefined;
      if (identity !== undefined) return { identity };
      // RFC 6750, 3: the error is only for requests with a token.
      request.header('WWW-Authenticate', credential.scheme === 'bearer' ? `${CHALLENGE}, error="invalid_token"` : CHALLENGE);
      throw credentialError('wrong_credential', EXPECTED);
    });
    // After the signature plugin, which may authorize requests without a header.
    hooks.authorize.tap({ name: NAME, stage: Stage.normal }, (request) => {
      if (keyring.isEmpty || isHealthCheck(request)) return undefined;
      request.header('WWW-Authenticate', CHALLENGE);
      throw credentialError('missing_credential', EXPECTED);
    });
  },
});

/**
 * Parses a value that matches `TOKEN_PATTERN`. Without a name the identity is a digest of the token, `token-8d3f9a1c2b`: jobs and assets
 * belong to it wherever the token's line moves.
 */
function parseToken(text: string): Key {
  const at = text.indexOf(':');
  const name = text.slice(0, Math.max(0, at));
  const secret = text.slice(at + 1);
  return { identity: name === '' ? `token-${createHash('sha256').update(secret).digest('hex').slice(0, 10)}` : name, secret };
}
