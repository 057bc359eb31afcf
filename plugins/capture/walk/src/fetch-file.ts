import { createGunzip, createInflate, createBrotliDecompress } from 'node:zlib';
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { isDiskFull, limitSignal, type Outbound, PlatenError, readUrl, type RenderContext } from '@platen/kernel';
import { type ArchivedBody, type ArchivedExchange, type ArchivedResponse, valueOf } from '@platen/lib-warc';
import { createSpool, type Spool } from '@platen/lib-spool';
import { robots } from '@platen/plugin-robots/keys';
import type { FetchedFile } from './keys.js';
import type { OwnedPage } from './visit-page.js';

export interface FileFetcher {
  readonly outbound: Outbound;
  /** A context of the walk whose page is open: for its cookies, user agent and robots.txt. */
  readonly context: RenderContext;
  /** Rejects if a plugin refuses the URL. */
  check(url: string): Promise<void>;
  readonly signal: AbortSignal;
  /** The target of the walk: the request's headers are sent to its origin only. */
  readonly seed: string;
  /** Maximum number of stored bytes; undefined: no limit. */
  readonly limit: number | undefined;
  /** Milliseconds for each hop with its body. A file that takes longer is cut. */
  readonly timeoutMs: number;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * Fetches a file as the browser would, without a tab. Every hop is checked as a page is: by the rules of the server, by robots.txt, by the
 * egress policy. Rejects with `robots_disallowed`, `target_blocked` or an `OutboundError`.
 */
export async function fetchFile(url: string, fetcher: FileFetcher): Promise<FetchedFile> {
  if (url.startsWith('data:')) return readDataUrl(url);
  const spool = createSpool();
  const exchanges: ArchivedExchange[] = [];
  const close = async () => spool[Symbol.asyncDispose]();
  try {
    let next: string | undefined = url;
    for (let hops = 0; next !== undefined && hops <= MAX_REDIRECTS; hops++) {
      const exchange = await fetchOnce(next, fetcher, spool);
      exchanges.push(exchange);
      next = redirectOf(exchange);
    }
  } catch (error) {
    await close();
    throw error;
  }
  const last = exchanges.at(-1);
  return {
    url: last?.request.url ?? url,
    status: last?.response?.status ?? 0,
    contentType: valueOf(last?.response?.headers ?? [], 'content-type'),
    exchanges,
    open: () => last?.response?.body.open() ?? Readable.from([]),
    [Symbol.asyncDispose]: close,
  };
}

/** RFC 2397. The kernel has checked it. */
function readDataUrl(url: string): FetchedFile {
  const { pathname, search } = new URL(url);
  const [, type = '', data = ''] = /^([^,]*),(.*)$/s.exec(pathname + search) ?? [];
  const isBase64 = /;\s*base64\s*$/i.test(type);
  const text = decodeURIComponent(data);
  const bytes = Buffer.from(text, isBase64 ? 'base64' : 'utf8');
  return {
    ...{ url, status: 200, contentType: type.replace(/;\s*base64\s*$/i, '') || undefined, exchanges: [] },
    open: () => Readable.from([bytes]),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function redirectOf({ request, response }: ArchivedExchange): string | undefined {
  const location = valueOf(response?.headers ?? [], 'location');
  return location !== undefined && REDIRECTS.has(response?.status ?? 0) ? readUrl(location, request.url)?.href : undefined;
}

async function fetchOnce(url: string, fetcher: FileFetcher, spool: Spool): Promise<ArchivedExchange> {
  const { outbound, signal } = fetcher;
  await assertAllowed(url, fetcher);
  const headers = await headersFor(url, fetcher);
  const wallStart = new Date();
  const timed = limitSignal(signal, fetcher.timeoutMs);
  const { status, statusText, headerLines, remote, body } = await outbound.open(url, { headers, signal: timed });
  const coding = valueOf(headerLines, 'content-encoding');
  const stored = await store(body, { coding, spool, limit: fetcher.limit });
  const response: ArchivedResponse = {
    ...{ status, statusText, protocol: 'http/1.1', headers: headerLines, servedFrom: 'network', remote, body: stored },
    mimeType: valueOf(headerLines, 'content-type')?.split(';')[0]?.trim() ?? '',
  };
  const sent = Object.entries({ host: new URL(url).host, ...headers }).map(([name, value]) => ({ name, value }));
  return {
    request: { method: 'GET', url, headers: sent, body: undefined },
    response,
    resourceType: 'Other',
    timing: { wallStart },
    failure: undefined,
  };
}

async function assertAllowed(url: string, { check, context }: FileFetcher): Promise<void> {
  await check(url);
  const result = await context.get(robots)?.check(new URL(url));
  if (result?.allowed === false)
    throw new PlatenError('robots_disallowed', result.reason ?? 'robots.txt disallows it', { target: { url } });
}

async function headersFor(url: string, { context: { page, params }, seed }: FileFetcher): Promise<Readonly<Record<string, string>>> {
  // Without them if the browser was lost: the file may be public.
  const [{ cookies }, userAgent] = await Promise.all([
    page.send('Network.getCookies', { urls: [url] }).catch(() => ({ cookies: [] })),
    page.evaluate(() => navigator.userAgent).catch(() => undefined),
  ]);
  const cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  return {
    ...(userAgent === undefined ? {} : { 'user-agent': userAgent }),
    ...(cookie === '' ? {} : { cookie }),
    ...requestHeaders(url, { header: params['header'], seed }),
  };
}

/** The request's own headers, for the origin of its target only, as the plugin `target` sends them with pages. It has checked them. */
function requestHeaders(
  url: string,
  { header, seed }: { readonly header: unknown; readonly seed: string },
): Readonly<Record<string, string>> {
  if (!Array.isArray(header) || new URL(url).origin !== new URL(seed).origin) return {};
  return Object.fromEntries(
    header.map((item) => {
      const [name = '', ...value] = String(item).split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
}

interface Storing {
  readonly coding: string | undefined;
  readonly spool: Spool;
  readonly limit: number | undefined;
}

const FLUSH_BYTES = 8 * 1024 * 1024;

class DiskError extends Error {}

/** Reads the body to its end or the limit. A connection that breaks leaves the part that came. */
async function store(body: Readable, { coding, spool, limit = Infinity }: Storing): Promise<ArchivedBody> {
  const writer = spool.openWriter();
  const hash = createHash('sha256');
  let state: ArchivedBody['state'] = 'complete';
  let unflushed = 0;
  try {
    for await (const chunk of decoded(body, coding)) {
      const kept = chunk.subarray(0, limit - writer.bytes);
      if (!writer.write(kept)) throw new DiskError('the spool accepts no more');
      hash.update(kept);
      unflushed += kept.length;
      // The network may be faster than the disk.
      if (unflushed > FLUSH_BYTES) {
        await spool.flushed();
        unflushed = 0;
      }
      if (kept.length < chunk.length) {
        state = 'truncated';
        break;
      }
    }
  } catch (error) {
    if (error instanceof DiskError || isDiskFull(error)) throw error;
    state = 'partial';
  } finally {
    body.destroy();
  }
  writer.end();
  return { state, bytes: writer.bytes, sha256: state === 'complete' ? hash.digest('hex') : undefined, open: () => writer.open() };
}

/** None was offered; some servers send one all the same. */
function decoded(body: Readable, coding = ''): AsyncIterable<Buffer> {
  const decoders = { gzip: createGunzip, 'x-gzip': createGunzip, deflate: createInflate, br: createBrotliDecompress };
  const create = Object.entries(decoders).find(([name]) => name === coding.trim().toLowerCase())?.[1];
  if (create === undefined) return body;
  const decoder = create();
  body.on('error', (error) => decoder.destroy(error));
  return body.pipe(decoder);
}

/** A file as an entry of the archive. The caller disposes of it. */
export function describeFile(
  { status, contentType, exchanges }: FetchedFile,
  { url, depth, startedAt }: Pick<OwnedPage, 'url' | 'depth' | 'startedAt'>,
): OwnedPage {
  return {
    ...{ url, depth, startedAt, title: '', status, mimeType: contentType ?? '', loadState: 'complete', isPage: false },
    async *exchanges() {
      await Promise.resolve();
      yield* exchanges;
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
