import { signQuery } from '@platen/server/signing';

export interface LinkTime {
  readonly secret: string;
  readonly expiresAt: Date;
  /** Maximum lifetime in seconds; undefined: unlimited. */
  readonly maxAge: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** Signs the query of an asset link until the asset expires, at most for the maximum lifetime. */
export function signLink(query: URLSearchParams, { secret, expiresAt, maxAge = Infinity, now }: LinkTime): URLSearchParams {
  const expires = Math.min(Math.floor(expiresAt.getTime() / 1000), Math.floor(now / 1000) + maxAge);
  return new URLSearchParams(signQuery(query.toString(), { secret, expires }));
}
