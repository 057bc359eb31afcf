const DIGITS = /^(\d{4})(\d{2})(\d{2})(\d{2})(\d{2})(\d{2})$/;
/** RFC 3339, 5.6. */
const DATE_TIME = /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))$/;

/** Milliseconds since 1970 of 14 digits in UTC or a date-time of RFC 3339; undefined if it is neither, or no such moment exists. */
export function readMoment(text: string): number | undefined {
  const match = DIGITS.exec(text) ?? DATE_TIME.exec(text);
  const [, ...parts] = match ?? [];
  const [year, month, day, hour, minute, second] = parts.slice(0, 6).map(Number);
  const [sign, hours = '0', minutes = '0'] = parts.slice(6);
  if (match === null || year === undefined || month === undefined || Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour ?? 0, minute, second, 0);
  // A part that is out of range moves the others.
  if (toDigits(date.getTime()) !== parts.slice(0, 6).join('')) return undefined;
  return date.getTime() - (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000;
}

/** 14 digits in UTC, as archives have them. */
export function toDigits(ms: number): string {
  return new Date(ms).toISOString().replace(/\D/g, '').slice(0, 14);
}
