/** The browser's first statement in a document or style sheet: the charset of the part (its own, or the page's). */
const OWN_WORD = {
  html: /^[^]{0,4096}?<meta http-equiv=3D"Content-Type" content=3D"text\/html; charset=3D([\w.:-]+)"/,
  css: /^@charset "([\w.:-]+)";/,
} as const;

/**
 * Declares the charset of text parts in their headers, too, if the parts declare it themselves (RFC 2045, 5.1): mail parsers read only the
 * headers.
 */
export function nameCharsets(mhtml: string): string {
  const boundary = /^Content-Type: multipart\/related;[^]*?boundary="([\w-]+)"/m.exec(mhtml)?.[1];
  if (boundary === undefined) return mhtml;
  const header = new RegExp(`^--${boundary}\\r\\nContent-Type: text/(html|css)(?=(\\r\\n(?:[\\w-]+: [^\\r\\n]*\\r\\n)+\\r\\n))`, 'gm');
  let written = '';
  let done = 0;
  for (const { 0: start, 1: kind, 2: rest = '', index } of mhtml.matchAll(header)) {
    const end = index + start.length;
    const text = mhtml.slice(end + rest.length, end + rest.length + 8192).replaceAll('=\r\n', '');
    const charset = (kind === 'html' ? OWN_WORD.html : OWN_WORD.css).exec(text)?.[1];
    written += mhtml.slice(done, end) + (charset === undefined ? '' : `; charset=${charset}`);
    done = end;
  }
  return written + mhtml.slice(done);
}
