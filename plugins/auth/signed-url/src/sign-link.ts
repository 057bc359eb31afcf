import { signQuery } from '@platen/server/signing';

export interface LinkTime {
  readonly secret: string;
  readonly expiresAt: Date;
  /** Seconds; undefined: any. */
  readonly maxAge: number | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

/** The query of an asset's link, signed for as long as the asset lives, or for as long as this server would believe it. */
export function signLink(query: URLSearchParams, { secret, expiresAt, maxAge = Infinity, now }: LinkTime): URLSearchParams {
  const expires = Math.min(Math.floor(expiresAt.getTime() / 1000), Math.floor(now / 1000) + maxAge);
  return new URLSearchParams(signQuery(query.toString(), { secret, expires }));
}
