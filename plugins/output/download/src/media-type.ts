import mime from 'mime';

const TOKEN = "[\\w!#$%&'*+.^`|~-]+";
/** A media type with its parameters (RFC 9110, 8.3.1), on one line. */
const MEDIA_TYPE = new RegExp(`^${TOKEN}/${TOKEN}(?:[ \\t]*;[\\t\\x20-\\x7e]*)?$`);

const UNKNOWN = 'application/octet-stream';

/** The file's type: as its URL or its answer says, else by its name's ending. */
export function typeOfDownload({ url, name }: { readonly url: string; readonly name: string }, types: ReadonlyMap<string, string>): string {
  const said = typeOfDataUrl(url) ?? types.get(withoutFragment(url)) ?? '';
  return MEDIA_TYPE.test(said) ? said : (mime.getType(name) ?? UNKNOWN);
}

/** The media type that stands in a `data:` URL (RFC 2397); undefined for every other one. */
function typeOfDataUrl(url: string): string | undefined {
  if (!/^data:/i.test(url)) return undefined;
  const type = url.slice('data:'.length, url.indexOf(',')).replace(/;base64$/i, '');
  return type.startsWith(';') ? `text/plain${type}` : type;
}

export function withoutFragment(url: string): string {
  return url.replace(/#.*$/s, '');
}
