/** The longest that rules are used (RFC 9309, 2.4). */
const LONGEST_MS = 24 * 60 * 60 * 1000;
/** Where the answer says nothing of it. */
const USUAL_MS = 60 * 60 * 1000;
/** Whatever the answer says: many renders of one site within minutes ask once. */
const SHORTEST_MS = 5 * 60 * 1000;
/** Rules that could not be had are asked for again after this. */
export const UNREACHABLE_MS = 60 * 1000;

/** Milliseconds for which an answer holds: `Cache-Control`'s max-age less its `Age` (RFC 9111, 4.2), within bounds. */
export function lifetimeOf(headers: Readonly<Record<string, string>>): number {
  const control = (headers['cache-control'] ?? '').toLowerCase();
  if (/\bno-(?:store|cache)\b/.test(control)) return SHORTEST_MS;
  const seconds = /(?:^|[\s,])max-age\s*=\s*"?(\d{1,10})/.exec(control)?.[1];
  if (seconds === undefined) return USUAL_MS;
  const age = /^\d{1,10}$/.test(headers['age'] ?? '') ? Number(headers['age']) : 0;
  return Math.min(LONGEST_MS, Math.max(SHORTEST_MS, (Number(seconds) - age) * 1000));
}
