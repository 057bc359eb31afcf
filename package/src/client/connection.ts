import type { Problem } from './types.js';

export interface ClientOptions {
  /** `https://render.example.com`; it may have a path. */
  readonly baseUrl: string;
  /** Of `--server-token-auth`. */
  readonly token?: string | undefined;
  /** Of each request, such as `Authorization` with a password. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Of `--server-signed-url`, for `sign`. Not in a page: its visitors could read it. */
  readonly secret?: string | undefined;
  /** How often a request is repeated that the server refuses for the time of `Retry-After` (429, 503). Default: 5. */
  readonly retries?: number | undefined;
  /** Instead of the global one. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

/** A file of the server. Its body can be read once: as a stream, or by a function. */
export interface Rendered {
  readonly body: ReadableStream<Uint8Array>;
  readonly contentType: string;
  readonly headers: Headers;
  /** Additional assets of the render. */
  assets(): readonly Asset[];
  bytes(): Promise<Uint8Array>;
  text(): Promise<string>;
  json(): Promise<unknown>;
}

export interface Asset {
  /** `har`, or the type of a further output. */
  readonly name: string;
  readonly contentType: string;
  readonly url: string;
  open(signal?: AbortSignal): Promise<Rendered>;
}

/** An error that the server reports. Without a code, it comes from another program, such as a proxy. */
export class PlatenError extends Error {
  override readonly name = 'PlatenError';
  readonly code: Problem['code'] | undefined;
  readonly status: number | undefined;
  /** The wrong parameters. */
  readonly errors: NonNullable<Problem['errors']>;
  readonly problem: Partial<Problem>;
  /** What the failed render has left. */
  readonly assets: readonly Asset[];

  constructor(problem: Partial<Problem>, assets: readonly Asset[] = []) {
    super(problem.detail ?? `the server responded with ${String(problem.status)}`);
    ({ code: this.code, status: this.status, errors: this.errors = [] } = problem);
    this.problem = problem;
    this.assets = assets;
  }
}

/** `Link` of a render: assets with type and name. */
const LINK = /<([^>]*)>; rel="related"; type="((?:[^"\\]|\\.)*)"; title="((?:[^"\\]|\\.)*)"/g;

export type Connection = ReturnType<typeof createConnection>;

export function createConnection({ baseUrl, token, headers: given, retries = 5, fetch = globalThis.fetch }: ClientOptions) {
  const base = baseUrl.replace(/\/+$/, '');
  const own = { ...given, ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }) };
  async function send(path: string, { headers = {}, signal, ...init }: Request = {}): Promise<Response> {
    for (let left = retries; ; left -= 1) {
      const response = await fetch(`${base}${path}`, { ...init, headers: { ...headers, ...own }, signal: signal ?? null });
      if (response.ok) return response;
      const wait = [429, 503].includes(response.status) ? readWait(response) : undefined;
      const problem = await readProblem(response);
      if (left <= 0 || wait === undefined) throw new PlatenError(problem, linksOf(response.headers));
      await sleep(wait, signal);
    }
  }
  const toAsset = (name: string, contentType: string, url: string): Asset => ({
    name,
    contentType,
    url: url.startsWith('/') ? `${base}${url}` : url,
    open: async (signal) => toRendered(await send(pathOf(url), { signal })),
  });
  const linksOf = (headers: Headers) =>
    [...(headers.get('Link') ?? '').matchAll(LINK)].map(([, url = '', type = '', name = '']) => toAsset(unquote(name), unquote(type), url));
  const toRendered = (response: Response): Rendered => ({
    body: response.body ?? new Blob().stream(),
    contentType: response.headers.get('Content-Type') ?? '',
    headers: response.headers,
    assets: () => linksOf(response.headers),
    bytes: async () => new Uint8Array(await response.arrayBuffer()),
    text: () => response.text(),
    json: () => response.json(),
  });
  const post = async (params: object, signal?: AbortSignal, headers = {}) =>
    await send('/', { method: 'POST', body: JSON.stringify(params), headers: { 'Content-Type': 'application/json', ...headers }, signal });
  return { base, send, post, toAsset, toRendered };
}

interface Request extends Pick<RequestInit, 'method' | 'body'> {
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** The server may name its files by another address (`--server-public-url`): credentials go only to the one that was given. */
const pathOf = (url: string) => /\/(?:assets\?|jobs\/).*/.exec(url)?.[0] ?? url;

const unquote = (text: string) => text.replace(/\\(.)/g, '$1');

async function readProblem(response: Response): Promise<Partial<Problem>> {
  const text = await response.text();
  const isProblem = response.headers.get('Content-Type') === 'application/problem+json';
  return isProblem ? (JSON.parse(text) as Problem) : { status: response.status };
}

/** Seconds of `Retry-After`, which may be a date. */
export function readWait({ headers }: Response): number | undefined {
  const given = headers.get('Retry-After') ?? '';
  const seconds = /^\d+$/.test(given) ? Number(given) : (Date.parse(given) - Date.now()) / 1000;
  return Number.isNaN(seconds) ? undefined : seconds;
}

export async function sleep(seconds: number, signal?: AbortSignal): Promise<void> {
  const ended = new AbortController();
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, seconds * 1000);
    const leave = () => {
      clearTimeout(timer);
      resolve();
    };
    signal?.addEventListener('abort', leave, { signal: ended.signal });
  });
  ended.abort();
  signal?.throwIfAborted();
}
