import { Readable } from 'node:stream';
import { type CdxEntry, lookupKey, type LookupKey, toKey } from '@platen/lib-warc';
import type { IndexBuilder } from './index-builder.js';
import { type ByteSource, readAhead } from './byte-source.js';
import { ArchiveDamaged } from './contract.js';
import { endsEarly, headerOf, openRecord, readHttpHead, type WarcRecord } from './warc-record.js';
import { collect } from './decode-body.js';

/** A request whose response is beside it in the file. */
interface Asked extends Linked {
  readonly method: string;
  readonly contentType: string;
  readonly body: Buffer;
}

/** What shows that two records are of one exchange. */
interface Linked {
  readonly url: string;
  readonly id: string | undefined;
  readonly concurrentTo: string | undefined;
}

/** Of posted data, what matters for its key. */
const BODY_BYTES = 1024 * 1024;

/**
 * Adds the responses of a WARC file that has no index.
 *
 * @throws ArchiveDamaged if a record is damaged or cut: what follows it cannot be found, and silence would pass for a whole archive · SharedMember if its records are not compressed one by one
 */
export async function scanWarc(
  source: ByteSource,
  filename: string,
  { builder, signal }: { builder: IndexBuilder; signal: AbortSignal },
): Promise<void> {
  const pairs = createPairs(builder);
  const ahead = readAhead(source);
  for (let at = 0; at < source.bytes;) {
    try {
      at = await scanRecord({ source: ahead, at, filename, signal }, pairs);
    } catch (error) {
      if (!(error instanceof ArchiveDamaged)) throw error;
      throw new ArchiveDamaged(`the record at byte ${String(at)} of ${filename} is damaged: ${error.message}`, { cause: error });
    }
  }
  await pairs.end();
}

interface Place {
  readonly source: ByteSource;
  readonly at: number;
  readonly filename: string;
  readonly signal: AbortSignal;
}

/** Resolves with the offset of the next one. */
async function scanRecord({ source, at, filename, signal }: Place, pairs: Pairs): Promise<number> {
  const record = await openRecord(source, at, signal);
  try {
    const asked = record.type === 'request' ? await readRequest(record, signal) : undefined;
    const entry = await readEntry(record);
    const next = await record.finish();
    if (next > source.bytes) throw endsEarly(next - source.bytes);
    if (asked) await pairs.request(asked);
    if (entry) await pairs.response({ ...entry, offset: at, length: next - at, filename }, linkOf(record));
    return next;
  } finally {
    await record.close();
  }
}

type Entry = Omit<CdxEntry, 'offset' | 'length' | 'filename'>;

/** Undefined: the record answers no request. */
async function readEntry(record: WarcRecord): Promise<Entry | undefined> {
  const { type, url, fields } = record;
  if (!['response', 'revisit', 'resource'].includes(type) || !/^https?:/i.test(url)) return undefined;
  const isHttp = /^application\/http\b/i.test(fields.get('content-type') ?? '') || type === 'revisit';
  const head = isHttp ? await readHttpHead(record) : undefined;
  const stated = isHttp ? headerOf(head?.headers ?? [], 'content-type') : fields.get('content-type');
  return {
    key: toKey(url.replace(/#.*/s, '')),
    date: new Date(fields.get('warc-date') ?? ''),
    url,
    mime: type === 'revisit' ? 'warc/revisit' : (stated?.split(';')[0]?.trim() ?? ''),
    status: isHttp ? head?.status : 200,
    digest: fields.get('warc-payload-digest') ?? '',
  };
}

export async function readRequest(record: WarcRecord, signal: AbortSignal): Promise<Asked> {
  const { method = 'GET', headers } = (await readHttpHead(record)) ?? { headers: [] };
  const body = await collect(record.block.take(Infinity), { signal, maxBytes: Infinity, range: [0, BODY_BYTES - 1] });
  return { ...linkOf(record), method, contentType: headerOf(headers, 'content-type') ?? '', body };
}

function linkOf({ url, fields }: WarcRecord): Linked {
  return { url, id: fields.get('warc-record-id'), concurrentTo: fields.get('warc-concurrent-to') };
}

/** Some writers link a request to its response, others the response to its request, others only put them beside each other. */
export function arePair(request: Linked, response: Linked): boolean {
  if (request.concurrentTo !== undefined) return request.concurrentTo === response.id;
  if (response.concurrentTo !== undefined) return response.concurrentTo === request.id;
  return request.url === response.url;
}

/** Requests and their responses, in either order. */
interface Pairs {
  request(asked: Asked): Promise<void>;
  response(entry: CdxEntry, link: Linked): Promise<void>;
  end(): Promise<void>;
}

function createPairs(builder: IndexBuilder): Pairs {
  let asked: Asked | undefined;
  let answer: { readonly entry: CdxEntry; readonly link: Linked } | undefined;
  const add = async (entry: CdxEntry, request?: Asked) => {
    await builder.add(request ? { ...entry, ...(await keyOf(request)) } : entry);
  };
  const end = async () => {
    if (answer) await add(answer.entry);
    answer = undefined;
  };
  return {
    async request(request) {
      if (answer && arePair(request, answer.link)) {
        await add(answer.entry, request);
        answer = undefined;
      } else asked = request;
    },
    async response(entry, link) {
      await end();
      if (asked && arePair(asked, link)) {
        await add(entry, asked);
        asked = undefined;
      } else answer = { entry, link };
    },
    end,
  };
}

type Posted = Omit<Asked, 'id' | 'concurrentTo'>;

/** The key of a request. Of data of which warcio's indexer has nothing, such as text, as pywb's has it. */
export async function keyOf(request: Posted): Promise<LookupKey> {
  const key = await warcioKey(request);
  const lacksData = request.method !== 'GET' && request.body.length > 0 && key.requestBody === undefined;
  return lacksData ? await warcioKey({ ...request, contentType: 'application/octet-stream' }) : key;
}

export function warcioKey({ method, url, contentType, body }: Posted): Promise<LookupKey> {
  const headers = [{ name: 'content-type', value: contentType }];
  const open = () => Readable.from([body], { objectMode: false });
  const posted = { state: 'complete', bytes: body.length, sha256: undefined, open } as const;
  return lookupKey({ method, url, headers, body: body.length === 0 ? undefined : posted });
}
