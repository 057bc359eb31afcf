import { definePlugin, Stage } from '@platen/kernel';
import { readCredential, createReread } from '@platen/lib-credentials';
import type {} from '@platen/server';
import { SECRET_PATTERN, SIGNING_PARAMS, verifyQuery } from '@platen/server/signing';
import { SIGNED_FLAG } from './flag.js';
import { refuseHeader, refuseSignature, SIGNATURE_CHALLENGE } from './refuse.js';
import { signLink } from './sign-link.js';
import { SIGN_COMMAND } from './sign-command.js';
import { needsSignature } from './signed-routes.js';

const NAME = 'auth-signed-url';
const MAX_AGE = 'server-signed-url-max-age';

/** `expires` and `signature` in the query (the interface specification, Authentication and Signing a URL). */
export default definePlugin({
  name: NAME,
  flags: {
    [SIGNED_FLAG]: {
      type: 'array',
      items: { type: 'string', minLength: 1, pattern: SECRET_PATTERN },
      minItems: 1,
      description:
        'Require signed URLs for GET requests: the shared SECRET (also hmac-sha256:SECRET), or @FILE with a line each. May be repeated: the first one signs, all of them verify.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'SECRET or hmac-sha256:SECRET',
      'x-tier': 'enterprise',
    },
    [MAX_AGE]: {
      type: 'integer',
      minimum: 1,
      description: "Maximum age in seconds of a signed URL's expiration: how far it may lie ahead. Without it, any way.",
      'x-reloads': true,
      'x-tier': 'enterprise',
    },
  },
  commands: [SIGN_COMMAND],
  serve({ hooks }, { options, log }) {
    let secrets = options[SIGNED_FLAG] ?? [];
    let maxAge = options[MAX_AGE];
    const warnOfLoneAge = () => {
      if (maxAge !== undefined && secrets.length === 0) log.warn({}, `--${MAX_AGE} has no effect without --${SIGNED_FLAG}`);
    };
    warnOfLoneAge();
    const reread = createReread({ flag: SIGNED_FLAG, log });
    hooks.reload.tap(NAME, (flags, commit) => {
      const { secrets: next, tell } = reread(flags, secrets);
      const nextAge = typeof flags[MAX_AGE] === 'number' ? flags[MAX_AGE] : undefined;
      commit(() => {
        if ((nextAge ?? Infinity) > (maxAge ?? Infinity)) log.warn({ flag: MAX_AGE }, 'a reload lets signatures hold for longer');
        [secrets, maxAge] = [next, nextAge];
        tell();
        warnOfLoneAge();
      });
    });
    // First, since what is stripped is stripped whoever lets the request in. A link that was signed is made to be embedded, also where a
    // browser adds a password that it knows; refused for its signature is only a request without a header.
    hooks.authorize.tap({ name: NAME, stage: Stage.first }, (request) => {
      if (secrets.length === 0) return undefined;
      request.strip(...SIGNING_PARAMS);
      if (!needsSignature(request)) return undefined;
      const fault = verifyQuery(request.query, { secrets, maxAge, now: Date.now() });
      if (fault === undefined) request.allowCrossSite();
      if (readCredential(request.headers.authorization) !== undefined) return undefined;
      if (fault === undefined) return {};
      if (fault === 'missing_signature') {
        request.addChallenge('sign the URL: the query then has "expires" and "signature"');
        return undefined;
      }
      throw refuseSignature(fault);
    });
    // Last: nobody has asked for a header, or let one in.
    hooks.authorize.tap({ name: NAME, stage: Stage.last }, (request) => {
      if (secrets.length === 0 || !needsSignature(request)) return undefined;
      request.header('WWW-Authenticate', SIGNATURE_CHALLENGE);
      throw readCredential(request.headers.authorization) === undefined ? refuseSignature('missing_signature') : refuseHeader();
    });
    // Last, so that the signature is over all that others have added.
    hooks.assetLink.tap({ name: NAME, stage: Stage.last }, (query, { expiresAt }) =>
      secrets[0] === undefined ? query : signLink(query, { secret: secrets[0], expiresAt, maxAge, now: Date.now() }),
    );
  },
});
