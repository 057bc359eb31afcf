import type { Param } from 'har-format';

/** The fields of a posted form; undefined if the type is not a form type. */
export function postedParams(mimeType: string, body: Buffer): Param[] | undefined {
  const [type = ''] = mimeType.split(';');
  if (type.trim().toLowerCase() === 'application/x-www-form-urlencoded') {
    return [...new URLSearchParams(body.toString('utf8'))].map(([name, value]) => ({ name, value }));
  }
  const boundary = /^multipart\/form-data\s*;.*\bboundary=(?:"([^"]+)"|([^\s;]+))/i.exec(mimeType);
  return boundary ? multipartParams(body, boundary[1] ?? boundary[2] ?? '') : undefined;
}

/** RFC 7578. File contents are only in the posted text. */
function multipartParams(body: Buffer, boundary: string): Param[] {
  // One character per byte, so that cutting loses nothing.
  const parts = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1);
  return parts.flatMap((part) => {
    const end = part.indexOf('\r\n\r\n');
    if (part.startsWith('--') || end < 0) return [];
    const head = utf8(part.slice(0, end));
    const name = /\bname="([^"]*)"/i.exec(head)?.[1];
    if (name === undefined) return [];
    const fileName = /\bfilename="([^"]*)"/i.exec(head)?.[1];
    const contentType = /^content-type:(.*\S)/im.exec(head)?.[1]?.trim();
    return {
      name: unescapeName(name),
      ...(fileName === undefined ? { value: utf8(part.slice(end + 4)) } : { fileName: unescapeName(fileName) }),
      ...(contentType === undefined ? {} : { contentType }),
    };
  });
}

/** The name as its author wrote it: browsers escape these three characters, but not the percent sign (HTML, multipart/form-data). */
function unescapeName(name: string): string {
  const characters: Readonly<Record<string, string>> = { '%22': '"', '%0D': '\r', '%0A': '\n' };
  return name.replace(/%22|%0D|%0A/g, (escape) => characters[escape] ?? escape);
}

function utf8(bytes: string): string {
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
