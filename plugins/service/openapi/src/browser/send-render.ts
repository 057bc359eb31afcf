import { readLinks, type Asset, type Sent } from './assets.js';
import { credentialHeaders } from './credentials.js';
import { hasChosenFiles, toBlob } from './file-control.js';
import { ROOT } from './load-api.js';
import { isObject, showValue, type Json } from './read-json.js';
import { followJob, type JobOptions } from './send-job.js';

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
  readonly assets: readonly Asset[];
}

/** The parameters as a query string; undefined where one of them is an object. */
export function toQuery(params: Json): URLSearchParams | undefined {
  const items = Object.entries(params).flatMap(([key, value]) => [value].flat().map((item: unknown) => [key, item] as const));
  if (items.some(([, item]) => typeof item === 'object' && item !== null)) return undefined;
  return new URLSearchParams(items.map(([key, item]) => [key, showValue(item)]));
}

/** The fields of a request with chosen files, which is sent as a form; undefined without such files. */
export function toFormFields(params: Json): readonly FormField[] | undefined {
  if (!Object.values(params).some(hasChosenFiles)) return undefined;
  return Object.entries(params).flatMap(([key, value]): readonly FormField[] => {
    if (hasChosenFiles(value)) return Object.entries(value).map(([path, content]) => ({ key, value: path, content }));
    const items: readonly unknown[] = [value].flat();
    // A list is a repeated field; a list of objects is JSON.
    return (items.some(isObject) ? [value] : items).map((item) => ({ key, value: showValue(item) }));
  });
}

/** A text, or a file whose path is the value. */
interface FormField {
  readonly key: string;
  readonly value: string;
  readonly content?: File | string;
}

function toBody(params: Json): FormData | string {
  const fields = toFormFields(params);
  if (fields === undefined) return JSON.stringify(params);
  const form = new FormData();
  for (const { key, value, content } of fields) {
    if (content === undefined) form.append(key, value);
    else form.append(key, toBlob(content), value);
  }
  return form;
}

export interface SendOptions extends JobOptions {
  readonly method: Method;
  /** Sends it as a job, whose progress is shown. */
  readonly asJob: boolean;
}

/** Sends the request like any other client. Rejects if it is canceled or the server is unreachable. */
export async function sendRender(params: Json, options: SendOptions): Promise<Outcome> {
  const startedAt = performance.now();
  const { response, assets } = await send(params, options);
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
    assets,
  };
}

async function send(params: Json, options: SendOptions): Promise<Sent> {
  const { method, asJob, signal } = options;
  const query = method === 'GET' ? toQuery(params) : undefined;
  const headers = { ...credentialHeaders(), ...(asJob ? { Prefer: 'respond-async' } : {}) };
  const body = query === undefined ? toBody(params) : undefined;
  const response =
    body === undefined
      ? await window.fetch(new URL(`?${String(query)}`, ROOT), { signal, headers })
      : await window.fetch(ROOT, {
          ...{ method: 'POST', signal, body },
          // The browser writes the type of a form, with its boundary.
          headers: typeof body === 'string' ? { ...headers, 'Content-Type': 'application/json' } : headers,
        });
  const location = response.headers.get('Location');
  if (response.status === 202 && location !== null) return await followJob(location, options);
  return { response, assets: readLinks(response.headers.get('Link')) };
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
