/** Of RFC 9111, 1.2.2: a longer number counts as this one. */
const LONGEST_SECONDS = 2 ** 31;

/** `Retry-After` in whole seconds from now (RFC 9110, 10.2.3: a number, or a date); undefined if it is absent or neither. */
export function readRetryAfter(text: string | undefined): number | undefined {
  const value = text?.trim() ?? '';
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000);
  return Number.isNaN(seconds) ? undefined : Math.min(LONGEST_SECONDS, Math.max(0, seconds));
}
