import { expect } from 'vitest';
import { openCheckedFile, runChecker } from '../../../helpers/checkers.js';
import type { RunningServer } from '../../../helpers/run-cli.js';
import type { ShownJob } from '../jobs/jobs-server.js';
import { createKey } from '../../page/web-bot-auth/keys.js';

/** Of `web_bot_auth`. */
export const KEY = createKey();

/** Of requests: none of their answers has one. */
export const SECRETS = {
  ...{
    pdf: 'of-the-pdf',
    login: 'of-the-login',
    proxy: 'of-the-proxy',
    wrong: 'of-no-proxy',
    cookie: 'of-the-cookie',
    header: 'of-the-header',
  },
  key: String(KEY.jwk['d']),
};

export type Params = Readonly<Record<string, unknown>>;

/** What must be the same, however it was asked for. */
export interface Answer {
  readonly status: number;
  readonly type: string;
  /** Of a problem document: its code and detail. */
  readonly body: string;
  readonly assets: Readonly<Record<string, string>>;
  readonly timeout: string | undefined;
}

/** Without what differs between two renders of a page: dates, and the order in which pages are done. */
const READERS: Readonly<Record<string, (bytes: Buffer, params: Params) => string | Promise<string>>> = {
  async 'application/pdf'(bytes, { pdf_password }) {
    await using file = await openCheckedFile(bytes, 'pdf');
    const password = typeof pdf_password === 'string' ? ['-upw', pdf_password] : [];
    const info = String(await runChecker('pdfinfo', [...password, file.path]));
    return (
      info.replaceAll(/^(?:CreationDate|ModDate|File size):.*$/gm, '') +
      String(await runChecker('pdftotext', [...password, file.path, '-']))
    );
  },
  'application/x-ndjson': (bytes) =>
    String(bytes)
      .replaceAll(/"fetched_at":"[^"]+"/g, '')
      .trim()
      .split('\n')
      .sort()
      .join('\n'),
  'application/problem+json'(bytes) {
    const { code, detail } = JSON.parse(String(bytes)) as Params;
    return JSON.stringify({ code, detail });
  },
  'application/json'(bytes) {
    const { log } = JSON.parse(String(bytes)) as { log?: { entries: readonly { request: { url: string; postData?: unknown } }[] } };
    return log === undefined ? String(bytes) : log.entries.map(({ request }) => JSON.stringify([request.url, request.postData])).join('\n');
  },
};

async function read(response: Response, params: Params): Promise<readonly [type: string, body: string]> {
  const type = response.headers.get('content-type')?.replace(/;.*/, '') ?? '';
  const bytes = Buffer.from(await response.arrayBuffer());
  expectNoSecret(bytes.toString('latin1'));
  return [type, (await READERS[type]?.(bytes, params)) ?? bytes.toString('base64')];
}

interface Found {
  readonly url: string;
  readonly params: Params;
  readonly assets: readonly (readonly [name: string, url: string])[];
}

async function readAnswer(response: Response, { url, params, assets }: Found): Promise<Answer> {
  const [type, body] = await read(response, params);
  const bodies = assets.map(async ([name, path]) => [name, (await read(await fetch(url + path), params))[1]] as const);
  const timeout = response.headers.get('x-timeout') ?? undefined;
  return { status: response.status, type, body, assets: Object.fromEntries(await Promise.all(bodies)), timeout };
}

function linksOf(response: Response): Found['assets'] {
  return [...(response.headers.get('link') ?? '').matchAll(/<([^>]+)>[^,]*title="([^"]+)"/g)].map(([, url = '', name = '']) => [name, url]);
}

async function post({ url }: RunningServer, params: Params, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  const body = JSON.stringify(params);
  return fetch(url, { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body });
}

/** The answer, and what the cache says of it. */
export async function ask(server: RunningServer, params: Params): Promise<readonly [Answer, cache: string | null]> {
  const response = await post(server, params);
  const answer = await readAnswer(response, { url: server.url, params, assets: linksOf(response) });
  return [answer, response.headers.get('cache-status')];
}

export async function askByQuery({ url }: RunningServer, params: Params): Promise<readonly [Answer, cache: string | null]> {
  const pairs = Object.entries(params).flatMap(([key, value]) => [value].flat().map((one) => [key, String(one)]));
  const response = await fetch(`${url}/?${new URLSearchParams(pairs).toString()}`);
  return [await readAnswer(response, { url, params, assets: linksOf(response) }), response.headers.get('cache-status')];
}

export async function askByJob(server: RunningServer, params: Params): Promise<Answer> {
  const submitted = await post(server, params, { prefer: 'respond-async' });
  const path = submitted.headers.get('location') ?? '';
  const shown = await (await fetch(server.url + path, { headers: { prefer: 'wait=60' } })).text();
  expectNoSecret(shown);
  const { output, assets = [], headers = {}, problem, state } = JSON.parse(shown) as ShownJob & { problem?: { status: number } };
  const links = assets.map(({ name, url }) => [name, url] as const);
  if (output === undefined) {
    expect(state).toBe('failed');
    const answer = new Response(JSON.stringify(problem), {
      status: problem?.status ?? 0,
      headers: { 'content-type': 'application/problem+json' },
    });
    return readAnswer(answer, { url: server.url, params, assets: links });
  }
  const response = await fetch(server.url + output.url);
  const answer = await readAnswer(response, { url: server.url, params, assets: links });
  return { ...answer, timeout: headers['X-Timeout'] };
}

export function expectNoSecret(text: string): void {
  for (const secret of Object.values(SECRETS)) expect(text).not.toContain(secret);
}
