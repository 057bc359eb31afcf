/** Milliseconds since 1970 of a date and time as in RFC 3339; undefined if there is no such moment. */
export function readTime(text: string): number | undefined {
  const iso = text.toUpperCase().replace(' ', 'T');
  const day = iso.slice(0, 10);
  const offset = /[+-]\d{2}:\d{2}$/.exec(iso)?.[0].slice(1) ?? '';
  const time = Date.parse(iso);
  // The parser takes the 30th of February for the 2nd of March, and any offset.
  const midnight = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(day);
  const isOffset = offset === '' || (Number(offset.slice(0, 2)) < 24 && Number(offset.slice(3)) < 60);
  return isDay && isOffset && !iso.includes('T24') && !Number.isNaN(time) ? time : undefined;
}
