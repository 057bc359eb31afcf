import { createHash } from 'node:crypto';
import { quoted, SOFT } from './quoted.js';

/** The browser names frames, style sheets and `blob:` URLs at random. */
const ID = /^Content-(?:ID: <|Location: cid:)(?:frame-|css-)?([\w-]+)@/gm;

/** Gives a snapshot the same date, ids and boundary each time. The ids become numbers of their length, so that each line keeps its breaks. */
export function fixIds(mhtml: string, date: Date): string {
  const ids = [...new Set(Array.from(mhtml.matchAll(ID), ([, id = '']) => id))];
  const numbers = new Map(ids.map((id, at) => [id, String(at).padStart(id.length, '0')]));
  const text = ids.length === 0 ? mhtml : mhtml.replace(new RegExp(ids.map((id) => quoted(id).source).join('|'), 'g'), toNumber);
  function toNumber(found: string): string {
    const digits = (numbers.get(found.replaceAll(SOFT, '')) ?? '').split('');
    return found.replace(/=\r\n|./g, (part) => (part === SOFT ? SOFT : (digits.shift() ?? '')));
  }
  const dated = text.replace(/^Date: .*/m, `Date: ${date.toUTCString()}`);
  const boundary = /boundary="----MultipartBoundary--(\w+)----"/.exec(dated)?.[1];
  if (boundary === undefined) return dated;
  // A page cannot contain the digest of itself, and so no part of its own making.
  const digest = createHash('sha256').update(dated.replaceAll(boundary, '')).digest('hex');
  return dated.replaceAll(boundary, digest.slice(0, boundary.length));
}
