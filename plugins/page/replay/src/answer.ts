import { Readable } from 'node:stream';
import {
  type InterceptedRequest,
  type InterceptResult,
  isPlatenError,
  OutboundError,
  type OutboundStream,
  type PlatenError,
  withoutUserinfo,
} from '@platen/kernel';
import { readMoment } from './moment.js';
import type { Replay, ReplayedResponse } from './replay.js';

type Fulfilled = Extract<InterceptResult, { readonly fulfill: unknown }>['fulfill'];
type Headers = Fulfilled['headers'];

/** Answers a request of a page: what the archive lacks fails like a host that is gone. Undefined if it is no request of the network. */
export async function answerRequest(request: InterceptedRequest, replay: Replay): Promise<InterceptResult | undefined> {
  const { url, method } = request;
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  const header = (name: string) => [...request.headers].find(([known]) => known.toLowerCase() === name)?.[1];
  const isPreflight = method === 'OPTIONS' && header('access-control-request-method') !== undefined;
  const body = method === 'GET' || method === 'HEAD' ? undefined : await request.body();
  const query = { method, url: withoutUserinfo(url.href), body, contentType: header('content-type') };
  const found = await replay.answer(query);
  if (found === undefined && isPreflight) return { fulfill: permit(header) };
  if (found === undefined) {
    replay.noteMissing(query);
    return { fail: 'Failed', error: request.resourceType === 'Document' ? await whyMissing(query.url, replay) : undefined };
  }
  const part = cut(found, header('range'));
  return {
    fulfill: {
      ...part,
      headers: part.headers.map(([name, value]) => [name, name.toLowerCase() === 'set-cookie' ? renew(value, found.date) : value]),
    },
  };
}

/** Of a page that the render navigates to, the same error as for its target. */
async function whyMissing(url: string, replay: Replay): Promise<PlatenError | undefined> {
  return replay.assertHas(url).then(
    () => undefined,
    (error: unknown) => (isPlatenError(error) ? error : undefined),
  );
}

/** Answers a request of the server itself, such as one for a file of a crawl. */
export async function openArchived(url: string, replay: Replay): Promise<OutboundStream> {
  const query = { method: 'GET', url: withoutUserinfo(url) };
  const found = await replay.answer(query);
  if (found === undefined) {
    replay.noteMissing(query);
    throw new OutboundError('unreachable', `${query.url} is not in the archive`);
  }
  const { status, headers, body } = found;
  return {
    ...{ url, status, statusText: '', remote: undefined, body: Readable.from([body], { objectMode: false }) },
    headers: Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
    headerLines: headers.map(([name, value]) => ({ name, value })),
  };
}

/** The answer to a preflight that is not in the archive, as in most: the response itself says what is permitted. */
function permit(header: (name: string) => string | undefined): Fulfilled {
  const headers = [
    ['Access-Control-Allow-Origin', header('origin') ?? '*'],
    ['Access-Control-Allow-Credentials', 'true'],
    ['Access-Control-Allow-Methods', header('access-control-request-method') ?? '*'],
    ['Access-Control-Allow-Headers', header('access-control-request-headers') ?? ''],
  ] as const;
  return { status: 204, headers, body: Buffer.of() };
}

/** Of a whole body, or of the stored part of one, what a range asks for, if the site took ranges: media elements do not seek without. */
function cut({ status, headers, body }: ReplayedResponse, range = ''): Fulfilled {
  const others = headers.filter(([name]) => !/^(?:content-range|content-length|accept-ranges)$/i.test(name));
  const [, storedFrom, , storedSize] = /^bytes (\d+)-(\d+)\/(\d+)/.exec(valueOf(headers, 'content-range') ?? '') ?? [];
  const [start, size] = status === 206 && storedFrom !== undefined ? [Number(storedFrom), Number(storedSize)] : [0, body.length];
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(range.trim()) ?? [];
  const takesRanges = status === 206 || /\bbytes\b/i.test(valueOf(headers, 'accept-ranges') ?? '');
  const isAsked = takesRanges && (first !== '' || last !== '');
  if (status !== 200 && status !== 206) return { status, headers, body };
  const ranged: Headers = takesRanges ? [...others, ['Accept-Ranges', 'bytes']] : others;
  if (!isAsked && start === 0 && body.length === size) return { status: 200, headers: ranged, body };
  const from = first === '' ? Math.max(start, size - Number(last || size)) : Number(first);
  const to = Math.min(first === '' || last === '' ? size - 1 : Number(last), start + body.length - 1);
  if (from < start || from > to)
    return { status: 416, headers: [...ranged, ['Content-Range', `bytes */${String(size)}`]], body: Buffer.of() };
  const place: Headers = [
    ['Content-Length', String(to - from + 1)],
    ['Content-Range', `bytes ${String(from)}-${String(to)}/${String(size)}`],
  ];
  return { status: 206, headers: [...ranged, ...place], body: body.subarray(from - start, to - start + 1) };
}

function valueOf(headers: Headers, name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** A cookie lasts as long from now on as it did when it was recorded. */
function renew(cookie: string, recorded: string): string {
  const age = Date.now() - (readMoment(recorded) ?? Date.now());
  return cookie.replace(/(;\s*expires\s*=\s*)([^;]+)/i, (whole, name: string, date: string) => {
    const expires = Date.parse(date);
    return Number.isNaN(expires) ? whole : `${name}${new Date(expires + age).toUTCString()}`;
  });
}
