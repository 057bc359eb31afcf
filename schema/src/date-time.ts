/** RFC 3339, 5.6: with `T` or a blank, and an offset. */
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](?!24)\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/i;

/** Milliseconds since 1970 of a date and time as in RFC 3339; undefined for other texts, and if there is no such moment. */
export function readDateTime(text: string): number | undefined {
  const day = DATE_TIME.exec(text)?.[1];
  const time = Date.parse(text.toUpperCase().replace(' ', 'T'));
  if (day === undefined || Number.isNaN(time)) return undefined;
  // The parser takes the 30th of February for the 2nd of March.
  return new Date(`${day}T00:00:00Z`).toISOString().startsWith(day) ? time : undefined;
}
