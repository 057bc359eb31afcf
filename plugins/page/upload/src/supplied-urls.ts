import { MOST_FULFILLED_BYTES, readUrl } from '@platen/kernel';

/** Where uploaded files are: a name that no name service resolves (RFC 6761, 6.4). */
export const UPLOAD_HOST = 'upload.invalid';
export const UPLOAD_ORIGIN = `https://${UPLOAD_HOST}`;

export interface SuppliedParams {
  readonly html?: string;
  readonly upload?: Readonly<Record<string, string>>;
}

/** The URL of the document, if the request gives none or only a path. */
export function completeUrl({ html, upload, url }: SuppliedParams & { readonly url?: string }): { readonly url?: string } {
  if (url === undefined) return { url: `${UPLOAD_ORIGIN}/${html === undefined ? 'index.html' : ''}` };
  if (upload === undefined) return {};
  // A name may look like a scheme: `notes:today.html`.
  if (Object.hasOwn(upload, url)) return { url: `${UPLOAD_ORIGIN}/${url.split('/').map(encodeURIComponent).join('/')}` };
  if (readUrl(url) !== undefined) return {};
  const resolved = URL.canParse(url, UPLOAD_ORIGIN) ? new URL(url, UPLOAD_ORIGIN) : undefined;
  return resolved?.origin === UPLOAD_ORIGIN ? { url: resolved.href } : {};
}

/** Characters of `data:` and a media type with its parameters. */
const LONGEST_TYPE = 1024;

/** Refuses what cannot be shown. */
export function checkSupplied(
  { html, upload = {}, url }: SuppliedParams & { readonly url: URL },
  refuse: (parameter: string, detail: string) => never,
): void {
  if (Buffer.byteLength(html ?? '') > MOST_FULFILLED_BYTES)
    refuse('html', `"html" must have at most ${String(MOST_FULFILLED_BYTES)} bytes`);
  for (const [path, data] of Object.entries(upload)) {
    if (data.indexOf(',') > LONGEST_TYPE)
      refuse('upload', `"upload" has a media type that is too long: that of ${JSON.stringify(path.slice(0, 100))}`);
    if (!isPath(path))
      refuse(
        'upload',
        `"upload" must have relative paths as its names, such as "css/style.css", without "." and ".." (got ${JSON.stringify(path.slice(0, 100))})`,
      );
    if (!isDecodable(data)) refuse('upload', `"upload" must have data: URLs: the base64 data of ${JSON.stringify(path)} is invalid`);
  }
  if (html !== undefined && url.protocol === 'data:') refuse('url', '"url" must be an http or https URL, at which "html" is shown');
  if (html !== undefined || (url.origin === UPLOAD_ORIGIN && pathsOf(url).some((path) => Object.hasOwn(upload, path)))) return;
  const paths = Object.keys(upload);
  const shown =
    paths
      .slice(0, 5)
      .map((path) => JSON.stringify(path))
      .join(', ') + (paths.length > 5 ? ` and ${String(paths.length - 5)} more` : '');
  const lacks = url.href === `${UPLOAD_ORIGIN}/index.html` ? '"upload" has no "index.html", the default of "url": ' : '';
  refuse('url', `${lacks}"url" must be one of the uploaded files: ${shown === '' ? '"upload" has none' : shown}`);
}

/** The paths of files that a URL may mean, the likeliest first. */
export function pathsOf({ pathname }: Pick<URL, 'pathname'>): readonly string[] {
  const path = pathname.slice(1);
  const written = path === '' || path.endsWith('/') ? `${path}index.html` : path;
  try {
    return [decodeURIComponent(written), written];
  } catch {
    return [written];
  }
}

/** Characters. */
const LONGEST_PATH = 1024;

function isPath(path: string): boolean {
  return (
    path.length <= LONGEST_PATH && !/[\u0000-\u001f\u007f\\]/.test(path) && path.split('/').every((part) => !['', '.', '..'].includes(part))
  );
}

/** Without decoding it: files may be large. */
function isDecodable(data: string): boolean {
  const comma = data.indexOf(',');
  return !/;\s*base64\s*$/i.test(data.slice(0, comma)) || !/[^A-Za-z\d+/=%\s]|%(?![\dA-Fa-f]{2})/.test(data.slice(comma + 1));
}
