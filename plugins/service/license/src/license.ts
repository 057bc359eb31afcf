/** The tiers of the interface specification, lowest first. */
export const TIERS = ['free', 'pro', 'enterprise'] as const;

export type Tier = (typeof TIERS)[number];

/** The signed payload of a license. */
export interface License {
  readonly id: string;
  readonly holder: string;
  readonly tier: Tier;
  /** Parameters, output types and flags (without leading dashes) allowed beyond the tier. */
  readonly features: readonly string[];
  /** Unix time in milliseconds, as `expires`. */
  readonly issued: number;
  readonly expires: number;
}

/** An invalid license or public key. The message completes a sentence: "--license-key is not valid: …". */
export class LicenseFault extends Error {
  override readonly name = 'LicenseFault';
}

const MAX_TEXT = 200;
const MAX_FEATURES = 200;

/**
 * Validates the payload. Ignores unknown members, which newer versions may define.
 *
 * @throws LicenseFault if a member is not valid.
 */
export function parseClaims(payload: unknown): License {
  if (typeof payload !== 'object' || payload === null) throw new LicenseFault('its payload is not a JSON object');
  const claims: Readonly<Record<string, unknown>> = { ...payload };
  const license = {
    id: textOf(claims, 'id'),
    holder: textOf(claims, 'holder'),
    tier: tierOf(claims.tier),
    features: featuresOf(claims.features),
    issued: timeOf(claims, 'issued'),
    expires: timeOf(claims, 'expires'),
  };
  if (license.expires <= license.issued) throw new LicenseFault('it expires before it is issued');
  return license;
}

/** Converts a license to its payload. */
export function toClaims({ issued, expires, features, ...rest }: License): object {
  return { ...rest, ...(features.length === 0 ? {} : { features }), issued: formatTime(issued), expires: formatTime(expires) };
}

/** RFC 3339 in UTC, to the second: `2027-01-31T00:00:00Z`. */
export function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

/** `2027-01-31`, or with a time of day in UTC: `2027-01-31T12:00:00Z`. Undefined for anything else. */
export function parseTime(text: string): number | undefined {
  if (!/^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}Z)?$/.test(text)) return undefined;
  const time = Date.parse(text);
  // `Date` would read a day that the month does not have as a day of the next month.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10)) ? time : undefined;
}

function textOf(claims: Readonly<Record<string, unknown>>, name: string): string {
  const value = claims[name];
  // Printed and logged texts must not contain control characters.
  if (typeof value === 'string' && value !== '' && value.length <= MAX_TEXT && !/\p{Cc}/u.test(value)) return value;
  throw new LicenseFault(`its "${name}" must be a string of 1 to ${MAX_TEXT} characters`);
}

function tierOf(value: unknown): Tier {
  const tier = TIERS.find((each) => each === value);
  if (tier === undefined) throw new LicenseFault(`its "tier" must be one of ${TIERS.join(', ')}`);
  return tier;
}

function featuresOf(value: unknown): readonly string[] {
  if (value === undefined) return [];
  const isList = Array.isArray(value) && value.length <= MAX_FEATURES;
  if (isList && value.every((item) => typeof item === 'string' && /^[a-z][a-z0-9_-]{0,99}$/.test(item))) return value.map(String);
  throw new LicenseFault('its "features" must be a list of names of parameters, output types and flags');
}

function timeOf(claims: Readonly<Record<string, unknown>>, name: string): number {
  const value = claims[name];
  const time = typeof value === 'string' ? parseTime(value) : undefined;
  if (time === undefined) throw new LicenseFault(`its "${name}" must be a date in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z`);
  return time;
}
