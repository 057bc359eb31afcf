/** Signs a URL's query, by the interface specification (Signing a URL): as the server does, and with Web Crypto in place of Node's. */
export async function signUrl(url: string, secret: string, expires: number): Promise<string> {
  const [sent = ''] = url.split('#', 1);
  const at = sent.indexOf('?');
  const [place, query] = at === -1 ? [sent, ''] : [sent.slice(0, at), sent.slice(at + 1)];
  const written = query.split('&').filter((part) => !/^(?:(?:expires|signature)(?:=|$)|$)/.test(part));
  const parts = [...written, `expires=${String(expires)}`];
  return `${place}?${parts.join('&')}&signature=${await hmac(secret.replace(/^hmac-sha256:/, ''), canonical(parts))}`;
}

/** The pairs sorted by key, then by value, in the order of their bytes, and form-encoded. A key without a value has no `=`. */
function canonical(parts: readonly string[]): string {
  const pairs = parts.map((part) => {
    // A question mark at the beginning would be dropped.
    const [[key, value] = ['', '']] = new URLSearchParams(part.replace(/^\?/, '%3F'));
    const text = new URLSearchParams([[key, value]]).toString();
    const hasValue = part.includes('=');
    return { order: [toSortable(key), toSortable(value), String(hasValue)].join(' '), text: hasValue ? text : text.slice(0, -1) };
  });
  return pairs
    .sort((a, b) => (a.order < b.order ? -1 : Number(a.order > b.order)))
    .map(({ text }) => text)
    .join('&');
}

/** UTF-8 has the order of code points, unlike UTF-16. */
const toSortable = (text: string) => Array.from(text, (mark) => mark.codePointAt(0)?.toString(16).padStart(6, '0')).join('');

async function hmac(secret: string, text: string): Promise<string> {
  const { subtle } = globalThis.crypto;
  const encode = (words: string) => new TextEncoder().encode(words);
  const key = await subtle.importKey('raw', encode(secret), { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
  return Array.from(new Uint8Array(await subtle.sign('HMAC', key, encode(text))), (byte) => byte.toString(16).padStart(2, '0')).join('');
}
