import { Readable } from 'node:stream';
import {
  decodeDataUrl,
  isRedirect,
  limitSignal,
  type Outbound,
  PlatenError,
  readParam,
  readUrl,
  type RenderContext,
  splitDataUrl,
} from '@platen/kernel';
import { type ArchivedExchange, type ArchivedResponse, valueOf } from '@platen/lib-warc';
import { createSpool, type Spool } from '@platen/lib-spool';
import { decodeHeaderValue } from '@platen/plugin-network/keys';
import { robots } from '@platen/plugin-robots/keys';
import { headerParam } from '@platen/plugin-target/keys';
import type { FetchedFile } from './keys.js';
import { StoredBody } from './stored-body.js';
import type { ClosablePage } from './visit-page.js';

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

/**
 * Begins to fetch a file as the browser would, without a tab; its body is read and stored later. Every hop is checked as a page is: by the
 * rules of the server, by robots.txt, by the egress policy. Rejects with `robots_disallowed`, `target_blocked` or an `OutboundError`.
 */
export async function openFile(url: string, fetcher: FileFetcher): Promise<FetchedFile> {
  if (url.startsWith('data:')) return readDataUrl(url);
  const spool = createSpool();
  const hops: Hop[] = [];
  const close = async () => {
    hops.at(-1)?.body[Symbol.dispose]();
    await spool[Symbol.asyncDispose]();
  };
  try {
    for (let next: string | undefined = url; next !== undefined && hops.length <= MAX_REDIRECTS;) {
      // Of a redirect.
      await hops.at(-1)?.body.finish();
      const hop = await openOnce(next, fetcher, spool);
      hops.push(hop);
      next = redirectOf(hop.exchange());
    }
  } catch (error) {
    await close();
    throw error;
  }
  const last = hops.at(-1);
  const { request, response } = last?.exchange() ?? {};
  return {
    url: request?.url ?? url,
    status: response?.status ?? 0,
    contentType: valueOf(response?.headers ?? [], 'content-type'),
    exchanges: () => hops.map(({ exchange }) => exchange()),
    open: () => last?.body.open() ?? Readable.from([]),
    finish: async () => last?.body.finish(),
    [Symbol.asyncDispose]: close,
  };
}

/** The kernel has checked it. */
function readDataUrl(url: string): FetchedFile {
  const { pathname, search } = new URL(url);
  const parts = splitDataUrl(`data:${pathname}${search}`);
  const bytes = parts === undefined ? Buffer.of() : decodeDataUrl(parts);
  return {
    url,
    status: 200,
    contentType: parts?.type === '' ? undefined : parts?.type,
    exchanges: () => [],
    open: () => Readable.from([bytes]),
    finish: () => Promise.resolve(),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

function redirectOf({ request, response }: ArchivedExchange): string | undefined {
  const location = valueOf(response?.headers ?? [], 'location');
  return location !== undefined && isRedirect(response?.status ?? 0) ? readUrl(location, request.url)?.href : undefined;
}

/** One request, whose body is read and stored later. */
interface Hop {
  readonly body: StoredBody;
  /** As far as the body was read. */
  exchange(): ArchivedExchange;
}

async function openOnce(url: string, fetcher: FileFetcher, spool: Spool): Promise<Hop> {
  const { outbound, signal, limit } = fetcher;
  await assertAllowed(url, fetcher);
  const asked = await headersFor(url, fetcher);
  const wallStart = new Date();
  const time = limitSignal(signal, fetcher.timeoutMs);
  const opened = await outbound.open(url, { headers: asked, signal: time.signal }).catch((error: unknown) => {
    time[Symbol.dispose]();
    throw error;
  });
  const { status, statusText, remote, body: source } = opened;
  const headers = opened.headerLines.map(({ name, value }) => ({ name, value: decodeHeaderValue(name, value) }));
  const body = new StoredBody(source, { coding: valueOf(headers, 'content-encoding'), spool, limit, time });
  const response: Omit<ArchivedResponse, 'body'> = {
    status,
    statusText,
    protocol: 'http/1.1',
    headers,
    servedFrom: 'network',
    remote,
    mimeType: valueOf(headers, 'content-type')?.split(';')[0]?.trim() ?? '',
  };
  const sent = Object.entries({ host: new URL(url).host, ...asked }).map(([name, value]) => ({ name, value }));
  return {
    body,
    exchange: () => ({
      request: { method: 'GET', url, headers: sent, body: undefined },
      response: { ...response, body: body.stored },
      resourceType: 'Other',
      timing: { wallStart },
      failure: undefined,
    }),
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
    ...requestHeaders(url, { headers: readParam(params, headerParam), seed }),
  };
}

/** The request's own headers, for the origin of its target only, as the plugin `target` sends them with pages. It has checked them. */
function requestHeaders(
  url: string,
  { headers = [], seed }: { readonly headers: readonly string[] | undefined; readonly seed: string },
): Readonly<Record<string, string>> {
  if (new URL(url).origin !== new URL(seed).origin) return {};
  return Object.fromEntries(
    headers.map((header) => {
      const [name = '', ...value] = header.split(':');
      return [name.toLowerCase(), value.join(':').trim()];
    }),
  );
}

/** `isPage`: a link led to it, so that readers may choose it. */
export type FilePlace = Pick<ClosablePage, 'url' | 'depth' | 'parent' | 'startedAt'> & { readonly isPage?: boolean };

/** A file as an entry of the archive, once it is finished. The caller disposes of it. */
export function describeFile(file: FetchedFile, { url, depth, parent, startedAt, isPage = false }: FilePlace): ClosablePage {
  const { status, contentType } = file;
  const isWhole = !isPage || file.exchanges().at(-1)?.response?.body.state === 'complete';
  return {
    url,
    depth,
    parent,
    startedAt,
    title: '',
    status,
    mimeType: contentType ?? '',
    loadState: status >= 400 ? 'failed' : isWhole ? 'complete' : 'timeout',
    isPage,
    async *exchanges() {
      await Promise.resolve();
      yield* file.exchanges();
    },
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}
