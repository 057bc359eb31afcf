/** Headers of `draft-ietf-httpapi-ratelimit-headers`: a quota of concurrent renders, not of renders per time window. */
export interface RateLimit {
  readonly cap: number;
  readonly taken: number;
}

export function rateLimitHeaders({ cap, taken }: RateLimit, secondsUntilFree?: number): Readonly<Record<string, string>> {
  const free = Math.max(0, cap - taken);
  return {
    'RateLimit-Policy': `"renders";q=${String(cap)};qu="concurrent-requests"`,
    RateLimit: `"renders";r=${String(free)}${secondsUntilFree === undefined ? '' : `;t=${String(secondsUntilFree)}`}`,
  };
}
