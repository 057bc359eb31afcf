import { quoted, SOFT } from './quoted.js';

/**
 * Gives the parts at `blob:` URLs a Content-ID (RFC 2392) and replaces the references to them: a browser looks for a `blob:` in its own
 * memory, never in the file. No line exceeds the maximum length.
 */
export function nameBlobs(mhtml: string): string {
  const urls = [...mhtml.matchAll(/^Content-Location: (blob:[^\r\n]+\/([\w-]+))\r\n/gm)];
  return urls.reduce((text, [line = '', url = '', id = '']) => {
    const name = `${id}@blob`;
    const named = text.replace(line, `Content-ID: <${name}>\r\nContent-Location: cid:${name}\r\n`);
    return named.replace(quoted(url), (found) => (found.includes(SOFT) ? `${SOFT}cid:${name}${SOFT}` : `cid:${name}`));
  }, mhtml);
}
