import { createHmac, timingSafeEqual } from 'node:crypto';
import { parseQuery } from '@platen/schema';
import { canonicalQueries } from './canonical-query.js';
import { toKey } from './secret.js';

/** Why a query is rejected. Metrics count by these names: there are no others. */
export type SignatureFault = 'missing_signature' | 'bad_signature' | 'missing_expires' | 'expired' | 'expires_too_far';

export interface VerifyOptions {
  /** Any of them may be the signing secret. */
  readonly secrets: readonly string[];
  /** Milliseconds since 1970, as of `Date.now()`. */
  readonly now: number;
  /** How far in the future `expires` may be, in seconds; without it, there is no limit. */
  readonly maxAge?: number | undefined;
}

/**
 * The problem with a query's signature, if any; the query is as sent, without its question mark. No part of the query is trusted before the
 * signature is verified, `expires` included. All secrets and encodings are tried even if an early one matches.
 */
export function verifyQuery(query: string, { secrets, now, maxAge }: VerifyOptions): SignatureFault | undefined {
  const pairs = parseQuery(query);
  const of = (wanted: string) => pairs.filter(([name]) => name === wanted).map(([, text]) => text ?? '');
  const [signature, ...others] = of('signature');
  if (signature === undefined) return 'missing_signature';
  const times = of('expires');
  // Another parser could read the second one instead.
  if (others.length > 0 || times.length > 1 || !/^[0-9a-f]{64}$/.test(signature)) return 'bad_signature';
  const signed = pairs.filter(([name]) => name !== 'signature');
  const candidates = canonicalQueries(signed);
  const given = Buffer.from(signature, 'hex');
  const fits = secrets.flatMap((secret) =>
    candidates.map((candidate) => timingSafeEqual(createHmac('sha256', toKey(secret)).update(candidate).digest(), given)),
  );
  return fits.includes(true) ? faultOfTime(times[0], now, maxAge) : 'bad_signature';
}

function faultOfTime(expires: string | undefined, now: number, maxAge: number | undefined): SignatureFault | undefined {
  // Plain digits only: `Number` would also read "1e99", "0x10" and " 5".
  if (expires === undefined || !/^\d{1,12}$/.test(expires)) return 'missing_expires';
  if (Number(expires) * 1000 < now) return 'expired';
  return maxAge !== undefined && Number(expires) > Math.ceil(now / 1000) + maxAge ? 'expires_too_far' : undefined;
}
