import { credentialHeaders } from './credentials.js';
import { ROOT } from './load-api.js';
import { isObject, showValue, type Json } from './read-json.js';

export type Method = 'POST' | 'GET';

/** The result of a request. */
export interface Outcome {
  /** The URL of the page. */
  readonly target: string;
  readonly status: number;
  readonly ms: number;
  readonly contentType: string;
  readonly headers: Headers;
  readonly body: Blob;
  /** The problem document of an error. */
  readonly problem: Json | undefined;
}

/** The parameters as a query string; undefined where one of them is an object. */
export function toQuery(params: Json): URLSearchParams | undefined {
  const items = Object.entries(params).flatMap(([key, value]) => [value].flat().map((item: unknown) => [key, item] as const));
  if (items.some(([, item]) => typeof item === 'object' && item !== null)) return undefined;
  return new URLSearchParams(items.map(([key, item]) => [key, showValue(item)]));
}

/** Sends the request like any other client. Rejects if it is canceled or the server is unreachable. */
export async function sendRender(params: Json, method: Method, signal: AbortSignal): Promise<Outcome> {
  const startedAt = performance.now();
  const query = method === 'GET' ? toQuery(params) : undefined;
  const headers = credentialHeaders();
  const response =
    query === undefined
      ? await window.fetch(ROOT, {
          method: 'POST',
          signal,
          headers: { ...headers, 'Content-Type': 'application/json' },
          body: JSON.stringify(params),
        })
      : await window.fetch(new URL(`?${query.toString()}`, ROOT), { signal, headers });
  const body = await response.blob();
  const contentType = response.headers.get('Content-Type') ?? '';
  const isProblem = contentType.startsWith('application/problem+json');
  const document: unknown = isProblem ? JSON.parse(await body.text()) : undefined;
  return {
    target: showValue(params['url']),
    status: response.status,
    ms: performance.now() - startedAt,
    contentType,
    headers: response.headers,
    body,
    problem: isObject(document) ? document : undefined,
  };
}

/** Phases of a `Server-Timing` header, in milliseconds. */
export function readTimings(header: string | null): readonly (readonly [phase: string, ms: number])[] {
  return [...(header ?? '').matchAll(/([\w-]+);dur=([\d.]+)/g)].map(([, phase = '', ms = '0']) => [phase, Number(ms)] as const);
}

/** The file name of a `Content-Disposition` header. */
export function readFileName(header: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(header ?? '')?.[1];
  if (encoded !== undefined) return decodeURIComponent(encoded);
  const plain = /filename=(?:"((?:[^"\\]|\\.)*)"|([^;]+))/i.exec(header ?? '');
  return plain?.slice(1).find(Boolean)?.trim();
}
