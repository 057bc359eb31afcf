const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

interface Found {
  time?: readonly number[];
  day?: number;
  month?: number;
  year?: number;
}

/** Parses a cookie date (RFC 6265, 5.1.1) to milliseconds since 1970; undefined if it is invalid. */
export function parseCookieDate(text: string): number | undefined {
  const found: Found = {};
  for (const token of text.split(/[\t\x20-\x2f;-@[-`{-~]+/)) read(token, found);
  const { time, day, month, year } = found;
  if (time === undefined || day === undefined || month === undefined || year === undefined) return undefined;
  const [hour = 0, minute = 0, second = 0] = time;
  const full = year >= 70 && year <= 99 ? year + 1900 : year <= 69 ? year + 2000 : year;
  if (day < 1 || full < 1601 || hour > 23 || minute > 59 || second > 59) return undefined;
  const date = new Date(Date.UTC(full, month, day, hour, minute, second));
  return date.getUTCDate() === day ? date.getTime() : undefined;
}

/** Only the first token of each kind is used. */
function read(token: string, found: Found): void {
  const time = /^(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\D|$)/.exec(token);
  const number = /^(\d{1,4})(?:\D|$)/.exec(token)?.[1];
  const month = MONTHS.indexOf(token.slice(0, 3).toLowerCase());
  if (time && found.time === undefined) found.time = time.slice(1).map(Number);
  else if (number !== undefined && number.length <= 2 && found.day === undefined) found.day = Number(number);
  else if (month >= 0 && found.month === undefined) found.month = month;
  else if (number !== undefined && number.length >= 2 && found.year === undefined) found.year = Number(number);
}
