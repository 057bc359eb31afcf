/** Not valid in a URL (RFC 3986, 2), or special in shells and curl: quotes, braces, brackets, a lone percent sign. */
const UNSENDABLE = /%(?![0-9a-f]{2})|[^!-~]|["'<>[\\\]^`{|}]/giu;

/** Escapes the URL so that any client can send it. It decodes to the same parameters, so the signature stays valid. */
export function toSendable(url: string): string {
  const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(url) ?? [];
  return origin + Buffer.from(url.slice(origin.length)).toString().replace(UNSENDABLE, encodeMark);
}

/** `encodeURIComponent` does not escape the apostrophe. */
function encodeMark(mark: string): string {
  return mark === "'" ? '%27' : encodeURIComponent(mark);
}
