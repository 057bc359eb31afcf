/** Bytes of UTF-8 in one encoded word: with `Subject: ` before it, its line has less than 76 characters (RFC 2047, 2). */
const MOST_BYTES = 39;
/** A line has at most 998 characters (RFC 5322, 2.1.1). */
const MOST_PLAIN = 900;

/**
 * Rewrites the title in the file's header if it is not plain ASCII: the browser writes raw question marks into encoded words, which ends
 * them early in other programs.
 */
export function nameSubject(mhtml: string, title: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(title) && !title.includes('=?') && title.length <= MOST_PLAIN;
  if (isPlain) return mhtml;
  const head = mhtml.slice(0, mhtml.indexOf('\r\n\r\n') + 2);
  const subject = encodedWords(title).join('\r\n ');
  return head.replace(/^Subject: .*\r\n(?:[ \t].*\r\n)*/m, () => `Subject: ${subject}\r\n`) + mhtml.slice(head.length);
}

/** Characters are not split. */
function encodedWords(text: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  for (const character of text) {
    if (Buffer.byteLength(part + character) > MOST_BYTES) {
      parts.push(part);
      part = '';
    }
    part += character;
  }
  return [...parts, part].map((each) => `=?utf-8?B?${Buffer.from(each).toString('base64')}?=`);
}
