import { chooseResponse, truncationOf, valueOf, type StoredResponse } from './choose-response.js';
import { type Placed, type RecordSink, recordUrn } from './encode-record.js';
import type { ArchivedExchange } from './exchange.js';
import { requestHead, responseHead } from './http-head.js';
import { lookupKey } from './lookup-key.js';
import { measureBlock, type MeasuredBlock } from './measure-block.js';
import { createStoredResponses, type Original, type StoredResponses } from './stored-responses.js';

const PROFILE = 'http://netpreserve.org/warc/1.1/revisit/identical-payload-digest';
/** Of formats that are compressed themselves. */
const PACKED = /^(?:image\/(?!svg|bmp|x-)|video\/|audio\/(?!wav)|font\/woff|application\/(?:zip|gzip|x-gzip|pdf|font-woff|zstd))/i;

/** One exchange with the response to store. */
interface Storing {
  readonly exchange: ArchivedExchange;
  readonly response: StoredResponse;
  readonly page: { readonly id: string } | undefined;
  /** Only then may a revisit replace it: readers look for no other. */
  readonly isRepeatable: boolean;
}

/** A response that is in the archive. */
export interface WrittenResponse extends Pick<StoredResponse, 'url' | 'status'> {
  /** `WARC-Date` */
  readonly date: Date;
}

/** Writes the records of exchanges, and remembers the stored responses. The request follows its response: readers search for it there. */
export function createExchangeWriter(sink: RecordSink, stored: StoredResponses = createStoredResponses()) {
  return async (given: ArchivedExchange, page?: { readonly id: string }): Promise<WrittenResponse | undefined> => {
    const response = chooseResponse(given);
    if (!response) return undefined;
    const isGet = given.request.method === 'GET';
    if (isGet && response.isCopy && stored.hasUrl(response.url)) return undefined;
    const before = isGet ? stored.documentAt(response.url) : undefined;
    const date = inOwnSecond(given.timing.wallStart, before);
    const exchange = { ...given, timing: { wallStart: date } };
    const { status, truncated, body } = response;
    const isRepeatable = isGet && status >= 200 && status < 300 && truncated === undefined && body !== undefined;
    const storing = { exchange, response, page, isRepeatable };
    const content = await readContent(storing, stored);
    if (content.original && isItself(content.original, given, response.url)) return undefined;
    const id = sink.clock.uuid();
    const placed = await appendResponse(sink, storing, { id, ...content });
    await appendRequest(sink, storing, id);
    if (isGet && truncated === undefined)
      stored.addUrl(response.url, before !== undefined || given.resourceType === 'Document' ? date : undefined);
    const { original, digest } = content;
    if (isRepeatable && !original) stored.addOriginal(digest, { id, url: response.url, date: exchange.timing.wallStart });
    await addToIndex(sink, storing, { ...placed, digest, isRevisit: original !== undefined });
    return { url: response.url, status, date };
  };
}

/** Of responses far apart the order is only that of their pages. */
const MOST_AHEAD_MS = 60_000;

/** An index has no fractions of a second: the responses of a page that reloads itself immediately would be one to a replay. */
function inOwnSecond(date: Date, before: Date | undefined): Date {
  const next = before === undefined ? 0 : (Math.floor(before.getTime() / 1000) + 1) * 1000;
  return date.getTime() >= next || next - date.getTime() > MOST_AHEAD_MS ? date : new Date(next);
}

interface Content {
  readonly block: MeasuredBlock;
  /** Of the payload; for a revisit that of the original. */
  readonly digest: string;
  readonly original: Original | undefined;
}

/** The block of a response, or that of a revisit: the head alone. */
async function readContent({ exchange, response, isRepeatable }: Storing, stored: StoredResponses): Promise<Content> {
  const { body } = response;
  const head = responseHead(response, exchange.request.method === 'HEAD' ? undefined : (body?.bytes ?? 0));
  const find = (digest: string) => (isRepeatable ? stored.original(digest) : undefined);
  const known = body?.state === 'complete' && body.sha256 !== undefined ? `sha256:${body.sha256}` : undefined;
  const before = known === undefined ? undefined : find(known);
  if (known !== undefined && before) return { block: await measureBlock(head), digest: known, original: before };
  const block = await measureBlock(head, body);
  const original = find(block.payloadDigest);
  return { block: original ? await measureBlock(head) : block, digest: block.payloadDigest, original };
}

/** A revisit of a URL at the same moment would refer to itself. */
function isItself({ url, date }: Original, { timing }: ArchivedExchange, storedUrl: string): boolean {
  return url === storedUrl && timing.wallStart <= date;
}

async function appendResponse(
  sink: RecordSink,
  { exchange, response, page }: Storing,
  content: Content & { readonly id: string },
): Promise<Placed> {
  const { id, block, digest, original } = content;
  return sink.append({
    type: original ? 'revisit' : 'response',
    id,
    date: exchange.timing.wallStart,
    contentType: 'application/http; msgtype=response',
    fields: {
      ...commonFields(response, page),
      'WARC-IP-Address': exchange.response?.remote?.address.replace(/^\[|\]$/g, ''),
      'WARC-Protocol': exchange.response?.protocol,
      'WARC-Resource-Type': exchange.resourceType.toLowerCase(),
      'WARC-Payload-Digest': digest,
      'WARC-Truncated': response.truncated,
      ...(original && {
        'WARC-Profile': PROFILE,
        'WARC-Refers-To': recordUrn(original.id),
        'WARC-Refers-To-Target-URI': original.url,
        'WARC-Refers-To-Date': original.date.toISOString(),
      }),
    },
    block,
    isPacked: PACKED.test(mimeOf(exchange, response)),
  });
}

async function appendRequest(sink: RecordSink, { exchange, response, page }: Storing, responseId: string): Promise<void> {
  const { request, timing, failure } = exchange;
  const body = request.body && request.body.bytes > 0 ? request.body : undefined;
  const block = await measureBlock(requestHead(request, body?.bytes ?? 0), body);
  await sink.append({
    type: 'request',
    id: sink.clock.uuid(),
    date: timing.wallStart,
    contentType: 'application/http; msgtype=request',
    fields: {
      ...commonFields(response, page),
      'WARC-Concurrent-To': recordUrn(responseId),
      'WARC-Payload-Digest': body && block.payloadDigest,
      'WARC-Truncated': body && truncationOf(body, failure),
    },
    block,
  });
}

function commonFields({ url }: StoredResponse, page: Storing['page']): Readonly<Record<string, string | undefined>> {
  return { 'WARC-Target-URI': url, 'WARC-Page-ID': page?.id };
}

async function addToIndex(
  { index }: RecordSink,
  { exchange, response }: Storing,
  { isRevisit, ...placed }: Placed & { readonly digest: string; readonly isRevisit: boolean },
): Promise<void> {
  if (!index) return;
  const mime = isRevisit ? 'warc/revisit' : mimeOf(exchange, response);
  const { url, status } = response;
  index.add({ ...(await lookupKey(exchange.request)), date: exchange.timing.wallStart, url, mime, status, ...placed });
}

/** As stored in the record; else as the browser detected it. */
function mimeOf({ response }: ArchivedExchange, { headers }: StoredResponse): string {
  const [stated = ''] = (valueOf(headers, 'content-type') ?? '').split(';');
  const mime = stated.trim() === '' ? (response?.mimeType ?? '') : stated.trim();
  return mime === '' ? 'unk' : mime;
}
