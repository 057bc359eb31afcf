import { Readable } from 'node:stream';
import { isDiskFull, KERNEL_VERSION, PlatenError, TEMPORARY_DISK } from '@platen/kernel';
import type { Exchange, ExchangeRecord, PageNavigationRecord, ServedFrom, WebSocketTraffic } from '@platen/plugin-network';
import type { Entry, Page } from 'har-format';
import { harRequest, harResponse } from './har-message.js';
import { inBlocks, jsonArray, jsonObject, type JsonPieces } from './json-stream.js';

/** The HAR as a stream of UTF-8: no body is completely in memory. */
export function openHar(record: ExchangeRecord, { visits, ...content }: HarContent): Readable {
  const chosen = { ...content, visits: visits === 'all' ? record.visits : record.visits.slice(-1) };
  return Readable.from(namingDisk(inBlocks(writeHar(record, chosen))), { objectMode: false });
}

/** Throws `encode_failed` if the disk was too full for the recording. */
async function* namingDisk(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  try {
    yield* blocks;
  } catch (cause) {
    if (!isDiskFull(cause)) throw cause;
    throw new PlatenError('encode_failed', `the har could not be written: ${TEMPORARY_DISK} is full`, { cause });
  }
}

/** The part of a record that belongs in a HAR: other outputs may have requested more. */
export interface HarContent {
  readonly visits: 'all' | 'last';
  readonly bodies: boolean;
  /** Of a frozen render: everything has started then. */
  readonly date?: Date;
}

interface Chosen extends Omit<HarContent, 'visits'> {
  readonly visits: readonly PageNavigationRecord[];
}

async function* writeHar(record: ExchangeRecord, chosen: Chosen): AsyncGenerator<string> {
  const log = {
    version: '1.2',
    creator: { name: 'Platen', version: KERNEL_VERSION },
    browser: record.browser,
    pages: chosen.visits.map((visit, index) => harPage({ ...visit, wallStart: chosen.date ?? visit.wallStart }, index)),
    ...(record.dropped === 0 ? {} : { comment: `${String(record.dropped)} requests omitted: the recording had reached its limit` }),
  };
  yield* jsonObject({}, { log: jsonObject(log, { entries: jsonArray(entriesOf(record, chosen)) }) });
}

/** A page without a title has its URL as title; a `data:` URL may be a whole document. */
const LONGEST_TITLE = 1024;

function harPage({ url, title, wallStart, contentLoadedMs, loadedMs }: PageNavigationRecord, index: number): Page {
  const moment = (milliseconds: number | undefined) => (milliseconds === undefined ? -1 : Math.round(milliseconds * 1000) / 1000);
  return {
    startedDateTime: wallStart.toISOString(),
    id: pageId(index),
    title: title === '' ? url.slice(0, LONGEST_TITLE) : title,
    pageTimings: { onContentLoad: moment(contentLoadedMs), onLoad: moment(loadedMs) },
  };
}

function pageId(index: number): string {
  return `page_${String(index + 1)}`;
}

async function* entriesOf({ exchanges, visits: all }: ExchangeRecord, { visits, ...content }: Chosen): AsyncGenerator<JsonPieces> {
  for await (const exchange of exchanges()) {
    const index = visits.findIndex(({ id }) => id === exchange.visitId);
    // Requests from before the first page belong to that page, if it is included.
    const orphan = exchange.visitId === undefined && visits.length === all.length;
    if (index >= 0) yield harEntry(exchange, { ...content, pageref: pageId(index) });
    else if (orphan) yield harEntry(exchange, { ...content, pageref: visits.length === 0 ? undefined : pageId(0) });
  }
}

interface EntryContent extends Omit<Chosen, 'visits'> {
  readonly pageref: string | undefined;
}

function harEntry(exchange: Exchange, { pageref, bodies, date }: EntryContent): JsonPieces {
  const { response, webSocket } = exchange;
  const timings = harTimings(exchange);
  const fields: Omit<Entry, 'request' | 'response'> = {
    ...(pageref === undefined ? {} : { pageref }),
    startedDateTime: date?.toISOString() ?? harStart(exchange),
    time: harTime(timings),
    cache: {},
    timings,
    ...(response?.remote === undefined ? {} : { serverIPAddress: response.remote.address }),
    ...(response?.connectionId === undefined ? {} : { connection: response.connectionId }),
    ...ownFields(exchange),
  };
  const messages = webSocket && jsonArray(messagesOf(webSocket));
  return jsonObject(fields, { request: harRequest(exchange), response: harResponse(exchange, { bodies }), _webSocketMessages: messages });
}

/** Extensions of HAR 1.2, under the names that Chrome's importer knows. */
function ownFields({ response, resourceType, initiator, priority, target, webSocket }: Exchange): object {
  const cache = response && CACHES[response.servedFrom];
  const security = response?.security;
  return {
    _resourceType: resourceType.toLowerCase(),
    _initiator: initiator,
    ...(priority === undefined ? {} : { _priority: priority }),
    ...(cache === undefined ? {} : { _fromCache: cache }),
    ...(response?.servedFrom === 'service-worker' ? { _fetchedViaServiceWorker: true } : {}),
    ...(target.kind === 'page' ? {} : { _target: target.kind }),
    ...(security === undefined ? {} : { _securityDetails: security }),
    ...(webSocket === undefined || webSocket.omitted === 0 ? {} : { comment: `${String(webSocket.omitted)} messages omitted` }),
  };
}

const CACHES: Readonly<Partial<Record<ServedFrom, string>>> = {
  'memory-cache': 'memory',
  'disk-cache': 'disk',
  'prefetch-cache': 'prefetch',
};

async function* messagesOf(traffic: WebSocketTraffic): AsyncGenerator<JsonPieces> {
  for await (const { direction: type, time, opcode, data, omittedCharacters } of traffic.read()) {
    const comment = omittedCharacters === undefined ? undefined : `${String(omittedCharacters)} characters omitted`;
    yield [JSON.stringify({ type, time, opcode, data, comment })];
  }
}

type Phases = Readonly<Record<'blocked' | 'dns' | 'connect' | 'ssl' | 'send' | 'wait' | 'receive', number>>;

/** Milliseconds by phase (HAR 1.2, timings): -1 if the phase did not occur. `ssl` is part of `connect`. */
function harTimings({ timing, response }: Exchange): Phases {
  const { phases, started, finished } = timing;
  if (!phases) {
    const total = Math.max(0, (finished ?? started) - started);
    // Nothing was sent: the request failed while it waited, or came from a cache.
    const [blocked, receive] = response ? [-1, total] : [total, 0];
    return { blocked: round(blocked), dns: -1, connect: -1, ssl: -1, send: 0, wait: 0, receive: round(receive) };
  }
  const span = (start: number, end: number) => (start < 0 || end < 0 ? -1 : round(Math.max(0, end - start)));
  const headersEnd = phases.requestTime * 1000 + phases.receiveHeadersEnd;
  return {
    blocked: round([phases.dnsStart, phases.connectStart, phases.sendStart].find((moment) => moment >= 0) ?? -1),
    dns: span(phases.dnsStart, phases.dnsEnd),
    connect: span(phases.connectStart, phases.connectEnd),
    ssl: span(phases.sslStart, phases.sslEnd),
    send: Math.max(0, span(phases.sendStart, phases.sendEnd)),
    wait: Math.max(0, span(phases.sendEnd, phases.receiveHeadersEnd)),
    receive: finished === undefined ? 0 : round(Math.max(0, finished - headersEnd)),
  };
}

/** All phases; `ssl` is already included in `connect`. */
function harTime({ blocked, dns, connect, send, wait, receive }: Phases): number {
  return round([blocked, dns, connect, send, wait, receive].reduce((sum, part) => sum + Math.max(0, part), 0));
}

/** When the network was first used: time spent in earlier queues is not part of the phases. */
function harStart({ timing: { wallStart, started, phases } }: Exchange): string {
  const queued = phases === undefined ? 0 : Math.max(0, phases.requestTime * 1000 - started);
  return new Date(wallStart.getTime() + queued).toISOString();
}

/** Microseconds. */
function round(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000;
}
