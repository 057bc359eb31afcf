import { isUtf8 } from 'node:buffer';
import {
  decodeDataUrl,
  type InterceptedRequest,
  type InterceptResult,
  MOST_FULFILLED_BYTES,
  type ReadLocalFile,
  splitDataUrl,
} from '@platen/kernel';
import mime from 'mime';
import { pathsOf, type SuppliedParams, UPLOAD_HOST, UPLOAD_ORIGIN } from './supplied-urls.js';

/** The documents that a request contains. */
export interface Supply {
  /** Whether the document at the URL is one of them, or could only be one. */
  readonly has: (url: URL) => boolean;
  /** To be called before the render loads a URL. */
  readonly load: (url: string) => void;
  /** Undefined for requests of the network. */
  readonly answer: (request: InterceptedRequest) => Promise<InterceptResult | undefined>;
}

export interface SupplyOptions extends SuppliedParams {
  readonly url: string;
  readonly readLocalFile?: ReadLocalFile | undefined;
}

export function createSupply({ html, upload = {}, url, readLocalFile }: SupplyOptions): Supply {
  const shown = html === undefined ? undefined : withoutFragment(new URL(url));
  /** The render loads the URL of `html`: the next answer is `html`. A later one, for example after a login, comes from the site. */
  let isNext = false;
  let isReplaced = false;
  const shownFile = { type: 'text/html; charset=utf-8', bytes: Buffer.from(html ?? '') };
  const find = createFinder(upload, readLocalFile);
  // Files of a folder, which the request does not contain, are for their own page only.
  const reader = html === undefined || readLocalFile !== undefined ? [] : [['Access-Control-Allow-Origin', new URL(url).origin] as const];
  return {
    has: (asked) => asked.origin === UPLOAD_ORIGIN || (!isReplaced && withoutFragment(asked) === shown),
    load(target) {
      isNext = withoutFragment(new URL(target)) === shown;
    },
    async answer(request) {
      const { url: requested, method, headers, target, frameId } = request;
      const isHtml = withoutFragment(requested) === shown;
      if (isHtml && (isNext || requested.origin === UPLOAD_ORIGIN) && method === 'GET') {
        isNext = false;
        isReplaced = false;
        return respond(200, shownFile);
      }
      // The main frame has the id of its target.
      if (isHtml && target.primary && frameId === target.targetId && request.resourceType === 'Document') isReplaced = true;
      if (requested.hostname !== UPLOAD_HOST) return undefined;
      const file = requested.origin === UPLOAD_ORIGIN ? await find(requested) : undefined;
      if (file === undefined) return respond(404, { type: 'text/plain', bytes: Buffer.from('no such file was uploaded\n') }, reader);
      return respondPart(file, { range: [...headers].find(([name]) => name.toLowerCase() === 'range')?.[1], more: reader });
    },
  };
}

function withoutFragment({ origin, pathname, search }: URL): string {
  return `${origin}${pathname}${search}`;
}

interface SuppliedFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Bytes of files that are stored for further requests: more than a request contains. */
const MOST_STORED = 128 * 1024 ** 2;

/** Finds the file that a URL means. Requests for the same file share its bytes. */
function createFinder(upload: Readonly<Record<string, string>>, readLocalFile: ReadLocalFile | undefined) {
  const stored = new Map<string, Promise<SuppliedFile | undefined>>();
  let storedBytes = 0;
  const read = async (path: string): Promise<SuppliedFile | undefined> => {
    const data = Object.hasOwn(upload, path) ? upload[path] : undefined;
    const { type = '', bytes } = data === undefined ? { bytes: await readLocalFile?.(path) } : decode(data);
    if (bytes === undefined) return undefined;
    storedBytes += bytes.length;
    return { type: mediaTypeOf(path, type, bytes), bytes };
  };
  return async (url: URL): Promise<SuppliedFile | undefined> => {
    if (storedBytes > MOST_STORED) {
      stored.clear();
      storedBytes = 0;
    }
    for (const path of pathsOf(url)) {
      const reading = stored.get(path) ?? read(path);
      stored.set(path, reading);
      const file = await reading;
      if (file !== undefined) return file;
      stored.delete(path);
    }
    return undefined;
  };
}

function decode(url: string): { readonly type: string; readonly bytes: Buffer } {
  const parts = splitDataUrl(url) ?? { type: '', isBase64: false, data: '' };
  const isPlain = parts.isBase64 && !parts.data.includes('%');
  return { type: parts.type, bytes: isPlain ? Buffer.from(parts.data, 'base64') : decodeDataUrl(parts) };
}

/** The stated type; by the name where a client knows none. Text in UTF-8 is labeled, since browsers assume an older encoding. */
function mediaTypeOf(path: string, stated: string, bytes: Buffer): string {
  const isStated = stated !== '' && !/^application\/octet-stream/i.test(stated);
  const type = isStated ? stated : (mime.getType(path) ?? 'application/octet-stream');
  return /^(?:text\/[^;]*|[^;]*(?:xml|javascript|json))$/i.test(type) && isUtf8(bytes) ? `${type}; charset=utf-8` : type;
}

type Headers = readonly (readonly [name: string, value: string])[];

/** A range is what media elements ask for: they do not seek without, and continue after a shorter one (RFC 9110, 14). */
function respondPart(
  { type, bytes }: SuppliedFile,
  { range, more }: { readonly range: string | undefined; readonly more: Headers },
): InterceptResult {
  const size = bytes.length;
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range?.trim() ?? '') ?? [];
  if (first === '' && last === '' && size > MOST_FULFILLED_BYTES) {
    const text = `a file of more than ${String(MOST_FULFILLED_BYTES)} bytes is available in ranges only\n`;
    return respond(413, { type: 'text/plain', bytes: Buffer.from(text) }, more);
  }
  if (first === '' && last === '') return respond(200, { type, bytes }, more);
  const from = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const wanted = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  const to = Math.min(wanted, from + MOST_FULFILLED_BYTES - 1);
  if (from > to) return respond(416, { type, bytes: Buffer.alloc(0) }, [['Content-Range', `bytes */${String(size)}`], ...more]);
  const place = `bytes ${String(from)}-${String(to)}/${String(size)}`;
  return respond(206, { type, bytes: bytes.subarray(from, to + 1) }, [['Content-Range', place], ...more]);
}

function respond(status: number, { type, bytes }: SuppliedFile, more: Headers = []): InterceptResult {
  const headers = [['Content-Type', type], ['Content-Length', String(bytes.length)], ['Accept-Ranges', 'bytes'], ...more] as const;
  return { fulfill: { status, headers, body: bytes } };
}
