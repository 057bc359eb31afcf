import { domainToUnicode } from 'node:url';

/** Characters; file systems stop at 255 bytes. */
const LONGEST = 60;
const RESERVED = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i;

/** Of uploaded files: it says nothing about them. */
const UPLOAD_HOST = 'upload.invalid';

/** The file extension of a page's address. It is removed, since the output's own extension describes the output. */
const PAGE_ENDING = /(?<=[^/])\.x?html?$/i;

/**
 * A name for the rendered file, made from the target's host and path. A page's file extension, or the output's own, is removed from the
 * path: `example.com-docs-start.png`.
 */
export function nameFile(target: string, extension: string): string {
  const url = URL.canParse(target) ? new URL(target) : undefined;
  const stem =
    url === undefined || url.protocol === 'data:'
      ? 'page'
      : `${url.hostname === UPLOAD_HOST ? '' : domainToUnicode(url.hostname)}-${decodePath(url.pathname).replace(PAGE_ENDING, '')}`;
  const ending = `.${extension}`;
  const bare = stem.toLowerCase().endsWith(ending) ? stem.slice(0, -ending.length) : stem;
  return `${sanitizeFileName(bare) || 'page'}${ending}`;
}

/**
 * A name that is safe on every file system and in every listing: no separators, control or bidirectional characters, no leading dot, no
 * trailing dot or blank, no Windows device name.
 */
export function sanitizeFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\p{C}\p{Z}"*/:<>?\\|%-]+/gu, '-')
    .replace(/-(?:\.+-)+/g, '-');
  const plain = Array.from(safe)
    .slice(0, LONGEST)
    .join('')
    .replace(/^[.-]+/, '')
    .replace(/(?<![.-])[.-]+$/, '');
  return RESERVED.test(plain) ? `page-${plain}` : plain;
}

/** Bytes of UTF-8: file systems allow 255, and the client may append to the name. */
const LONGEST_OWN = 200;

/**
 * A name that the content itself has, changed only if it is not safe: blanks remain, and so does the file extension, however long the name
 * is. Empty if no character remains.
 */
export function keepFileName(name: string): string {
  const safe = name
    .normalize('NFC')
    .replace(/[\t\r\n\p{Z}]+/gu, ' ')
    .replace(/\p{C}+/gu, '')
    .replace(/["*/:<>?\\|]+/g, '_')
    .replace(/^[. _]+/, '')
    .replace(/(?<![. ])[. ]+$/, '');
  const [, stem = '', ending = ''] = /^(.*?)((?:\.[\w-]{1,16})?)$/su.exec(safe) ?? [];
  const characters = Array.from(stem);
  while (Buffer.byteLength(characters.join('') + ending) > LONGEST_OWN) characters.pop();
  const plain = characters.join('') + ending;
  return RESERVED.test(plain) ? `file-${plain}` : plain;
}

function decodePath(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
