/** Not in a URL (RFC 3986, 2), or read as something else by shells and curl: quotes, braces, brackets, a percent sign that escapes nothing. */
const UNSENDABLE = /%(?![0-9a-f]{2})|[^!-~]|["'<>[\\\]^`{|}]/giu;

/** The same URL, as any client can send it: what is escaped here decodes to what was there, so that a signature over it holds. */
export function toSendable(url: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  return origin + Buffer.from(url.slice(origin.length)).toString().replace(UNSENDABLE, encodeMark);
}

/** `encodeURIComponent` leaves the apostrophe alone. */
function encodeMark(mark: string): string {
  return mark === "'" ? '%27' : encodeURIComponent(mark);
}
