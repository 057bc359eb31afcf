import { Readable } from 'node:stream';
import { type ArchivedBody, type ArchivedExchange, createWarcWriter, type HeaderLine } from '@platen/lib-warc';
import type { IndexBuilder } from './index-builder.js';
import type { ByteSource } from './byte-source.js';
import { NotAnArchive } from './contract.js';
import type { Scratch } from './scratch.js';

/** Its text is parsed in memory. */
const LARGEST_HAR = 128 * 1024 * 1024;

/** Name, in the index, of the WARC that a HAR becomes. */
const HAR_FILE = 'har';

/**
 * Writes the responses of a HAR file (1.1, 1.2) into a WARC of the scratch folder. Entries without a response, or without its body, are
 * omitted.
 *
 * @throws NotAnArchive
 */
export async function readHar(source: ByteSource, scratch: Scratch, builder: IndexBuilder): Promise<ByteSource> {
  const entries = await parseEntries(source);
  return await scratch.store(writeWarc(entries, builder));
}

type Fields = Readonly<Record<string, unknown>>;

async function parseEntries(source: ByteSource): Promise<readonly Fields[]> {
  if (source.bytes > LARGEST_HAR) throw new NotAnArchive(`a HAR file of more than ${String(LARGEST_HAR)} bytes`);
  const text = (await source.read(0, source.bytes)).toString('utf8').replace(/^\uFEFF/, '');
  let har: unknown;
  try {
    har = JSON.parse(text);
  } catch {
    throw new NotAnArchive('a damaged HAR file: it is not valid JSON');
  }
  const { entries } = fieldsOf(fieldsOf(har)['log']);
  if (!Array.isArray(entries)) throw new NotAnArchive('JSON, but no HAR file: it has no log.entries');
  return entries.map(fieldsOf);
}

async function* writeWarc(entries: readonly Fields[], builder: IndexBuilder): AsyncGenerator<Buffer> {
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
  for (const entry of entries) {
    const exchange = toExchange(entry);
    if (exchange) await writer.exchange(exchange);
    await Promise.all(added.splice(0));
    yield* chunks.splice(0);
  }
}

/** Undefined: there is no response to show. */
function toExchange(entry: Fields): ArchivedExchange | undefined {
  const [request, response] = [fieldsOf(entry['request']), fieldsOf(entry['response'])];
  const [content, posted] = [fieldsOf(response['content']), fieldsOf(request['postData'])];
  const [url, method, status] = [textOf(request['url']), textOf(request['method']).toUpperCase(), Number(response['status'])];
  const wallStart = new Date(textOf(entry['startedDateTime']));
  const body = bodyOf(content, status);
  if (!body || !(status >= 100 && status < 600) || method === '' || !URL.canParse(url) || Number.isNaN(wallStart.getTime()))
    return undefined;
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
      body: toBody(body),
    },
    resourceType: 'Other',
    timing: { wallStart },
    failure: undefined,
  };
}

/** Undefined: the file lacks it. */
function bodyOf({ text, encoding, size }: Fields, status: number): Buffer | undefined {
  if (typeof text === 'string') return Buffer.from(text, encoding === 'base64' ? 'base64' : 'utf8');
  const isEmpty = !(Number(size) > 0) || (status >= 300 && status < 400) || status === 204;
  return isEmpty ? Buffer.alloc(0) : undefined;
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

/** Repeated fields are separate entries, or in one with line breaks. */
function linesOf(headers: unknown): readonly HeaderLine[] {
  if (!Array.isArray(headers)) return [];
  return headers.map(fieldsOf).flatMap(({ name, value }) =>
    textOf(value)
      .split(/\r?\n/)
      .map((line) => ({ name: textOf(name), value: line })),
  );
}

function fieldsOf(value: unknown): Fields {
  // An object has fields of any kind.
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
