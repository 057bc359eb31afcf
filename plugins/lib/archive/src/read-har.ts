import { Readable } from 'node:stream';
import { type ArchivedBody, type ArchivedExchange, createWarcWriter, type HeaderLine } from '@platen/lib-warc';
import type { ByteSource } from './byte-source.js';
import { lowerKey } from './cdxj.js';
import { NotAnArchive } from './contract.js';
import { readEntries } from './har-entries.js';
import type { IndexBuilder } from './index-builder.js';
import type { Opening } from './opening.js';

const LARGEST_HAR = 128 * 1024 * 1024;

/** Name, in the index, of the WARC that a HAR becomes. */
const HAR_FILE = 'har';

/** Pieces of records that are written together: that takes half the time. */
const BATCH = 50;

export interface ReadHar {
  readonly warc: ByteSource;
  /** Keys of the responses to GET whose bodies the file lacks. */
  readonly bodiless: ReadonlySet<string>;
}

/**
 * Writes the responses of a HAR file (1.1, 1.2) into a WARC of the scratch folder. Entries without a response, or without its body, are
 * omitted.
 *
 * @throws NotAnArchive
 */
export async function readHar({ source, scratch, builder, signal }: Opening): Promise<ReadHar> {
  if (source.bytes > LARGEST_HAR) throw new NotAnArchive(`a HAR file of more than ${String(LARGEST_HAR)} bytes`);
  const bodiless = new Set<string>();
  const warc = await scratch.store(writeWarc(exchangesOf(readEntries(source, signal), bodiless), builder));
  return { warc, bodiless };
}

type Fields = Readonly<Record<string, unknown>>;

/** Those with a body. */
async function* exchangesOf(entries: AsyncIterable<unknown>, bodiless: Set<string>): AsyncGenerator<ArchivedExchange> {
  let before = new Date(0);
  for await (const entry of entries) {
    const exchange = toExchange(fieldsOf(entry), before);
    if (exchange === undefined) continue;
    before = exchange.timing.wallStart;
    const { request, response } = exchange;
    if (response?.body.state === 'complete') yield exchange;
    else if (request.method === 'GET') bodiless.add(lowerKey(request.url.replace(/#.*/s, '')));
  }
}

async function* writeWarc(exchanges: AsyncIterable<ArchivedExchange>, builder: IndexBuilder): AsyncGenerator<Buffer> {
  const chunks: Buffer[] = [];
  const added: Promise<void>[] = [];
  const index = {
    add(entry: Parameters<IndexBuilder['add']>[0]) {
      added.push(builder.add(entry));
    },
  };
  const write = (bytes: Buffer) => {
    chunks.push(bytes);
    return Promise.resolve();
  };
  const writer = createWarcWriter({ write, filename: HAR_FILE, index });
  for await (const exchange of exchanges) {
    await writer.exchange(exchange);
    await Promise.all(added.splice(0));
    if (chunks.length >= BATCH) yield Buffer.concat(chunks.splice(0));
  }
  yield Buffer.concat(chunks);
}

/** Undefined: there is no response. An entry without a date has that of the one before. */
function toExchange(entry: Fields, before: Date): ArchivedExchange | undefined {
  const [request, response] = [fieldsOf(entry['request']), fieldsOf(entry['response'])];
  const [content, posted] = [fieldsOf(response['content']), fieldsOf(request['postData'])];
  const [url, method, status] = [textOf(request['url']), textOf(request['method']).toUpperCase(), Number(response['status'])];
  if (!(status >= 100 && status < 600) || method === '' || !URL.canParse(url)) return undefined;
  const started = new Date(textOf(entry['startedDateTime']));
  const hasEmptyBody = content['size'] === 0 || method === 'HEAD' || status === 204 || (status >= 300 && status < 400);
  const contentType = [{ name: 'Content-Type', value: textOf(posted['mimeType']) }];
  const headers = linesOf(request['headers']);
  const hasType = headers.some(({ name }) => name.toLowerCase() === 'content-type');
  return {
    request: { method, url, headers: hasType ? headers : [...headers, ...contentType], body: toBody(postedBytes(posted)) },
    response: {
      status,
      statusText: textOf(response['statusText']),
      protocol: 'http/1.1',
      headers: responseHeaders(response, content),
      mimeType: textOf(content['mimeType']).split(';')[0] ?? '',
      servedFrom: 'network',
      remote: undefined,
      body: bodyOf(content) ?? { ...toBody(Buffer.alloc(0)), state: hasEmptyBody ? 'complete' : 'missing' },
    },
    resourceType: 'Other',
    timing: { wallStart: Number.isNaN(started.getTime()) ? before : started },
    failure: undefined,
  };
}

function bodyOf({ text, encoding }: Fields): ArchivedBody | undefined {
  return typeof text === 'string' ? toBody(Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8')) : undefined;
}

function postedBytes({ text, params, mimeType }: Fields): Buffer {
  if (typeof text === 'string' && text !== '') return Buffer.from(text);
  if (!Array.isArray(params) || !textOf(mimeType).startsWith('application/x-www-form-urlencoded')) return Buffer.alloc(0);
  const pairs = params.map(fieldsOf).map(({ name, value }) => [textOf(name), textOf(value)]);
  return Buffer.from(new URLSearchParams(pairs).toString());
}

function toBody(bytes: Buffer): ArchivedBody {
  return { state: 'complete', bytes: bytes.length, sha256: undefined, open: () => Readable.from([bytes], { objectMode: false }) };
}

/** Types that are text in a HAR file, where it is Unicode whatever the server has sent. */
const TEXT = /^(?:text\/|application\/(?:\w+\+)?(?:json|xml|javascript|x-javascript|ecmascript)|image\/svg)/i;

function responseHeaders(response: Fields, content: Fields): readonly HeaderLine[] {
  const lines = linesOf(response['headers']);
  const has = (wanted: string) => lines.some(({ name }) => name.toLowerCase() === wanted);
  const [mimeType, redirect] = [textOf(content['mimeType']), textOf(response['redirectURL'])];
  const complete = [
    ...lines,
    ...(has('content-type') || mimeType === '' ? [] : [{ name: 'Content-Type', value: mimeType }]),
    ...(has('location') || redirect === '' ? [] : [{ name: 'Location', value: redirect }]),
  ];
  if (typeof content['text'] !== 'string' || content['encoding'] === 'base64') return complete;
  return complete.map(({ name, value }) => ({ name, value: name.toLowerCase() === 'content-type' ? inUtf8(value) : value }));
}

function inUtf8(type: string): string {
  return TEXT.test(type) ? `${type.replace(/;\s*charset=[^;]*/i, '')}; charset=utf-8` : type;
}

/** Of a head, and of one field. */
const MOST_LINES = 300;

/** Repeated fields are separate entries, or in one with line breaks. */
function linesOf(headers: unknown): readonly HeaderLine[] {
  if (!Array.isArray(headers)) return [];
  return headers
    .slice(0, MOST_LINES)
    .map(fieldsOf)
    .flatMap(({ name, value }) =>
      textOf(value)
        .split(/\r?\n/, MOST_LINES)
        .map((line) => ({ name: textOf(name), value: line })),
    );
}

function fieldsOf(value: unknown): Fields {
  // An object has fields of any kind.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Of URLs, types and headers: longer ones are of no use, and take long to split. */
const LONGEST_TEXT = 64 * 1024;

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LONGEST_TEXT) : '';
}
