import { splitDataUrl } from '@platen/kernel';
import mime from 'mime';
import { MIMEType } from 'whatwg-mimetype';

const UNKNOWN = 'application/octet-stream';

/**
 * The file's media type: from its URL or its response, else by its file extension. The target's text is parsed and serialized (WHATWG MIME
 * Sniffing, 4.4 and 4.5), so that every reader sees the same type: a browser takes `application/pdf;, text/html` for HTML. Text that is not
 * a media type becomes `application/octet-stream`.
 */
export function typeOfDownload({ url, name }: { readonly url: string; readonly name: string }, types: ReadonlyMap<string, string>): string {
  const given = typeOfDataUrl(url) ?? types.get(withoutFragment(url)) ?? '';
  if (given === '') return mime.getType(name) ?? UNKNOWN;
  // oxlint-disable-next-line typescript/no-base-to-string -- it serializes; the package's types do not say so
  return MIMEType.parse(given)?.toString() ?? UNKNOWN;
}

/** The media type of a `data:` URL (RFC 2397); undefined for all other URLs. */
function typeOfDataUrl(url: string): string | undefined {
  const type = splitDataUrl(url)?.type;
  return type?.startsWith(';') === true ? `text/plain${type}` : type;
}

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
