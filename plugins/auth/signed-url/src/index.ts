import { definePlugin, PlatenError, Stage } from '@platen/kernel';
import { createReread, readCredential } from '@platen/lib-credentials';
import { SECRET_PATTERN, type SignatureFault, SIGNING_PARAMS, signQuery, verifyQuery } from '@platen/server/signing';
import type {} from '@platen/server';
import { needsSignature, SIGN_COMMAND, SIGNED_FLAG } from './sign-command.js';

/**
 * RFC 9110, 15.5.2: a 401 names a scheme. No registered scheme fits a signed query, and `Basic` would make browsers prompt for a
 * password that is not accepted.
 */
const SIGNATURE_CHALLENGE = 'Signed-URL realm="Platen"';

const TEXTS: Readonly<Record<SignatureFault, string>> = {
  missing_signature: 'the URL must be signed: the query requires "expires" and "signature"',
  bad_signature:
    'the signature does not match: it must be the HMAC-SHA256, in lower-case hex, of all other query parameters, sorted by key and value and form-encoded; "expires" and "signature" must occur once',
  missing_expires: 'the signed query requires "expires", a Unix time in whole seconds',
  expired: 'the signed URL has expired',
  expires_too_far: '"expires" is later than this server allows',
};

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
        'Require signed URLs for GET requests: the shared SECRET (or hmac-sha256:SECRET), or @FILE with one per line. May be repeated: the first secret signs, all of them verify.',
      'x-secret': true,
      'x-reloads': true,
      'x-expects': 'SECRET or hmac-sha256:SECRET',
      'x-tier': 'enterprise',
    },
    [MAX_AGE]: {
      type: 'integer',
      minimum: 1,
      description: 'Maximum number of seconds until a signed URL expires. Unlimited by default.',
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
      const { secrets: next, report } = reread(flags, secrets);
      const nextAge = typeof flags[MAX_AGE] === 'number' ? flags[MAX_AGE] : undefined;
      commit(() => {
        if ((nextAge ?? Infinity) > (maxAge ?? Infinity)) log.warn({ flag: MAX_AGE }, 'the reload allows a longer lifetime of signatures');
        [secrets, maxAge] = [next, nextAge];
        report();
        warnOfLoneAge();
      });
    });
    // First: the signature parameters are removed whichever plugin authorizes the request. Signed links may be embedded, even if the
    // browser adds a stored password. Only a request without a credential header is refused because of its signature.
    hooks.authorize.tap({ name: NAME, stage: Stage.first }, (request) => {
      if (secrets.length === 0) return undefined;
      request.strip(...SIGNING_PARAMS);
      if (!needsSignature(request)) return undefined;
      const reason = verifyQuery(request.query, { secrets, maxAge, now: Date.now() });
      if (reason === undefined) request.allowCrossSite();
      if (readCredential(request.headers.authorization) !== undefined) return undefined;
      if (reason === undefined) return {};
      if (reason === 'missing_signature') {
        request.addChallenge('sign the URL: add "expires" and "signature" to the query');
        return undefined;
      }
      throw refuseSignature(reason);
    });
    // Last: no other plugin required or accepted a header.
    hooks.authorize.tap({ name: NAME, stage: Stage.last }, (request) => {
      if (secrets.length === 0 || !needsSignature(request)) return undefined;
      request.header('WWW-Authenticate', SIGNATURE_CHALLENGE);
      throw readCredential(request.headers.authorization) === undefined ? refuseSignature('missing_signature') : refuseHeader();
    });
    // Last, so that the signature covers the parameters that other plugins add.
    hooks.assetLink.tap({ name: NAME, stage: Stage.last }, (query, { expiresAt }) =>
      secrets[0] === undefined ? query : signLink(query, { secret: secrets[0], expiresAt, maxAge, now: Date.now() }),
    );
  },
});

interface LinkTime {
  readonly secret: string;
  readonly expiresAt: Date;
  /** Maximum lifetime in seconds; undefined: unlimited. */
  readonly maxAge: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Signs the query of an asset link until the asset expires, at most for the maximum lifetime. */
function signLink(query: URLSearchParams, { secret, expiresAt, maxAge = Infinity, now }: LinkTime): URLSearchParams {
  const expires = Math.min(Math.floor(expiresAt.getTime() / 1000), Math.floor(now / 1000) + maxAge);
  return new URLSearchParams(signQuery(query.toString(), { secret, expires }));
}

/** 401 for a credential header on a server that accepts only signatures. The signature is not checked. */
function refuseHeader(): PlatenError {
  const text = 'the "Authorization" header is not accepted: this server requires signed URLs, sent without it';
  return new PlatenError('unauthorized', text, { reason: 'wrong_credential' });
}

/** 401 for a missing signature, 403 for an invalid one. */
function refuseSignature(reason: SignatureFault): PlatenError {
  return new PlatenError(reason === 'missing_signature' ? 'unauthorized' : 'forbidden', TEXTS[reason], { reason });
}
