/** Maximum time that rules are used without a refresh (RFC 9309, 2.4). */
const LONGEST_MS = 24 * 60 * 60 * 1000;
/** Used if the response has no cache lifetime. */
const USUAL_MS = 60 * 60 * 1000;
/** Minimum for every response, so that many renders of one site within minutes fetch once. */
const SHORTEST_MS = 5 * 60 * 1000;
/** Time until unavailable rules are fetched again. */
export const UNREACHABLE_MS = 60 * 1000;

/** Milliseconds for which a response is fresh: `Cache-Control` max-age minus `Age` (RFC 9111, 4.2), within the limits above. */
export function lifetimeOf(headers: Readonly<Record<string, string>>): number {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return SHORTEST_MS;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  if (seconds === undefined) return USUAL_MS;
  const age = /^\d{1,10}$/.test(headers['age'] ?? '') ? Number(headers['age']) : 0;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Number(seconds) - age) * 1000));
}
