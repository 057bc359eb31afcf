/** A soft line break of quoted-printable text (RFC 2045, 6.7). */
const SOFT = '=\r\n';

/**
 * Gives the parts that lie at `blob:` URLs a Content-ID (RFC 2392), and has the others refer to that: a browser looks for a `blob:` in
 * its own memory, and never in the file. No line becomes longer than it may.
 */
export function nameBlobs(mhtml: string): string {
  const urls = [...mhtml.matchAll(/^Content-Location: (blob:[^\r\n]+\/([\w-]+))\r\n/gm)];
  return urls.reduce((text, [line = '', url = '', id = '']) => {
    const name = `${id}@blob`;
    const named = text.replace(line, `Content-ID: <${name}>\r\nContent-Location: cid:${name}\r\n`);
    return named.replace(quoted(url), (found) => (found.includes(SOFT) ? `${SOFT}cid:${name}${SOFT}` : `cid:${name}`));
  }, mhtml);
}

/** The URL in quoted-printable text, wherever its lines break. */
function quoted(url: string): RegExp {
  const characters = Array.from(url, (character) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&').replace('=', '=3D'));
  return new RegExp(characters.join('(?:=\\r\\n)?'), 'g');
}
