import { fetchAsset, ownUrl, readJobAssets, type Sent } from './assets.js';
import { credentialHeaders } from './credentials.js';
import { ROOT } from './load-api.js';
import { isObject, numberAt, objectAt, textAt, type Json } from './read-json.js';

/** Parameters of renders of many pages or steps, which have a progress to show. */
const LONG = ['crawl_links', 'crawl_url_is_sitemap', 'navigate', 'navigator_goal'];

export function hasProgress(params: Json): boolean {
  return LONG.some((key) => params[key] !== undefined && params[key] !== false);
}

/**
 * Follows a job (RFC 7240) to its end, and returns the response that its request would have had. The signal cancels the job.
 *
 * @param location of the 202
 */
export async function followJob(location: string, options: JobOptions): Promise<Sent> {
  const url = new URL(`jobs/${location.split('/').at(-1) ?? ''}`, ROOT);
  const cancel = () => void window.fetch(url, { method: 'DELETE', headers: credentialHeaders() });
  options.signal.addEventListener('abort', cancel);
  try {
    return await untilEnded(url, options);
  } finally {
    options.signal.removeEventListener('abort', cancel);
  }
}

async function untilEnded(url: URL, { signal, onProgress }: JobOptions): Promise<Sent> {
  for (;;) {
    // The server responds when the job ends, else after a second.
    const response = await window.fetch(url, { signal, headers: { ...credentialHeaders(), Prefer: 'wait=1' } });
    if (!response.ok) return { response, assets: [] };
    const job: unknown = await response.json();
    if (!isObject(job)) throw new Error('the job is not an object');
    const state = textAt(job, 'state');
    if (state === 'done') return await readDone(job, signal);
    if (state === 'failed' || state === 'canceled') return { response: toProblem(job), assets: readJobAssets(job) };
    onProgress(describeProgress(job));
  }
}

export interface JobOptions {
  readonly signal: AbortSignal;
  onProgress(text: string): void;
}

async function readDone(job: Json, signal: AbortSignal): Promise<Sent> {
  const response = await fetchAsset({ href: ownUrl(textAt(objectAt(job, 'output'), 'url')) }, signal);
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(objectAt(job, 'headers'))) headers.set(name, String(value));
  return { response: new Response(response.body, { status: response.status, headers }), assets: readJobAssets(job) };
}

function toProblem(job: Json): Response {
  const problem = { title: 'The job was canceled', code: 'canceled', ...objectAt(job, 'problem') };
  const status = numberAt(objectAt(job, 'problem'), 'status') ?? 500;
  return new Response(JSON.stringify(problem), { status, headers: { 'Content-Type': 'application/problem+json' } });
}

function describeProgress(job: Json): string {
  const progress = objectAt(job, 'progress');
  const counts = ['done', 'queued', 'failed'].flatMap((name) => {
    const count = numberAt(progress, name);
    return count === undefined ? [] : [`${String(count)} ${name}`];
  });
  const phase = textAt(progress, 'phase').replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return counts.length > 0 ? counts.join(', ') : phase || textAt(job, 'state');
}
