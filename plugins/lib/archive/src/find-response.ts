import type { ArchiveIndex } from './archive-index.js';
import { type IndexedRecord, lowerKey, toDate } from './cdxj.js';
import { ArchiveDamaged, type ArchiveQuery, type FoundResponse } from './contract.js';
import { fuzzyUrl, sharedValues } from './fuzzy-url.js';
import type { ResponseReader } from './read-response.js';
import { keyOf, warcioKey } from './scan-warc.js';

/** A request, with what it is compared by. */
interface Wanted extends ArchiveQuery {
  /** Without fragment, as the URL standard writes it. */
  readonly href: string;
  /** The key of the request, and its posted data as a query. */
  readonly key: string;
  /** The key of an index that may have nothing of the data. */
  readonly bareKey: string;
  readonly requestBody: string | undefined;
  readonly isPosted: boolean;
}

interface Candidate {
  readonly record: IndexedRecord;
  readonly match: 'exact' | 'fuzzy';
}

export interface FinderParts {
  readonly index: ArchiveIndex;
  readonly reader: ResponseReader;
}

/** Tries the likeliest records one after the other. */
export async function findResponse(
  { index, reader }: FinderParts,
  query: ArchiveQuery,
  signal: AbortSignal,
): Promise<FoundResponse | undefined> {
  const first = await toWanted(query);
  // A HEAD is answered by the response to a GET.
  const requests = query.method === 'HEAD' ? [first, await toWanted({ ...query, method: 'GET' })] : [first];
  let lacksOriginal = false;
  for (const wanted of requests) {
    for (const tier of [sameKey, sameText, alikeUrls]) {
      for (const { record, match } of await tier(index, wanted, { reader, signal })) {
        signal.throwIfAborted();
        const response = await reader.read(record, signal);
        lacksOriginal ||= match === 'exact' && response === undefined;
        const isLoop = match === 'fuzzy' && response !== undefined && leadsTo(wanted.href, response);
        if (response && !isLoop) return { response, match };
      }
    }
  }
  if (lacksOriginal) throw new ArchiveDamaged(`the record of ${first.href.slice(0, 200)} refers to a response that the archive lacks`);
  return undefined;
}

async function toWanted(query: ArchiveQuery): Promise<Wanted> {
  const { method, contentType = '', body = Buffer.alloc(0) } = query;
  const href = toHref(query.url);
  const request = { method, url: href, contentType, body };
  const [{ key, requestBody }, bare] = await Promise.all([keyOf(request), warcioKey(request)]);
  return { ...query, href, key: key.toLowerCase(), bareKey: bare.key.toLowerCase(), requestBody, isPosted: method !== 'GET' };
}

function toHref(url: string): string {
  return URL.canParse(url) ? new URL(url).href.replace(/#.*/s, '') : url;
}

type Tier = (
  index: ArchiveIndex,
  wanted: Wanted,
  more: { readonly reader: ResponseReader; readonly signal: AbortSignal },
) => Promise<readonly Candidate[]>;

/** Records of the same key: those of the same URL first. */
const sameKey: Tier = async (index, wanted, { reader, signal }) => {
  const found = await collectUpTo(index.find(`${wanted.key} `), () => true);
  const exact = found.filter(({ url }) => toHref(url) === wanted.href);
  const others = wanted.match === 'exact' ? [] : found.filter((record) => !exact.includes(record));
  const ordered = byPreference(exact, wanted, index);
  // A key has the beginning of the data.
  const same = wanted.isPosted && ordered.length > 1 ? await withSameBody(ordered, wanted, { reader, signal }) : [];
  return [...label([...new Set([...same, ...ordered])], 'exact'), ...label(byPreference(others, wanted, index), 'fuzzy')];
};

/** Of indexes without the posted text, the record whose request has it. */
const sameText: Tier = async (index, wanted, more) => {
  if (wanted.bareKey === wanted.key) return [];
  const found = await collectUpTo(index.find(`${wanted.bareKey} `), ({ url }) => toHref(url) === wanted.href);
  return label(await withSameBody(byPreference(found, wanted, index), wanted, more), 'exact');
};

async function withSameBody(
  records: readonly IndexedRecord[],
  { body }: Wanted,
  { reader, signal }: { readonly reader: ResponseReader; readonly signal: AbortSignal },
): Promise<readonly IndexedRecord[]> {
  if (body === undefined) return [];
  for (const record of records.slice(0, MOST_TRIED)) {
    if ((await reader.requestBody(record, signal))?.equals(body) === true) return [record];
  }
  return [];
}

/** Records of the same path, apart from cache busters and, for posted data, the values that differ. */
const alikeUrls: Tier = async (index, wanted) => {
  if (wanted.match === 'exact') return [];
  const path = lowerKey(wanted.href.replace(/\?.*/s, ''));
  const bare = fuzzyUrl(wanted.href);
  const isAlike = ({ url, method = 'GET' }: IndexedRecord) => method === wanted.method && fuzzyUrl(url) === bare;
  const found = [...(await collectUpTo(index.find(`${path} `), isAlike)), ...(await collectUpTo(index.find(`${path}?`), isAlike))];
  const ordered = byPreference(found, wanted, index);
  if (!wanted.isPosted) return label(ordered, 'fuzzy');
  const score = new Map(ordered.map((record) => [record, sharedValues(record.requestBody ?? '', wanted.requestBody ?? '')]));
  return label(
    ordered.toSorted((one, other) => (score.get(other) ?? 0) - (score.get(one) ?? 0)),
    'fuzzy',
  );
};

/** Records of one path that are compared. */
const MOST_COMPARED = 20_000;
const MOST_TRIED = 20;

async function collectUpTo(
  records: AsyncIterable<IndexedRecord>,
  test: (record: IndexedRecord) => boolean,
): Promise<readonly IndexedRecord[]> {
  const found: IndexedRecord[] = [];
  let compared = 0;
  for await (const record of records) {
    compared += 1;
    if (compared > MOST_COMPARED) break;
    if (test(record)) found.push(record);
  }
  return found;
}

function label(records: readonly IndexedRecord[], match: Candidate['match']): readonly Candidate[] {
  return records.slice(0, MOST_TRIED).map((record) => ({ record, match }));
}

/**
 * The nearest in time first, of equals one of status 2xx; for a request that names no time, one of status 2xx first: a page may reload
 * itself behind a wall. Parts of a whole, and confirmations of what a browser had, come last.
 */
function byPreference(records: readonly IndexedRecord[], { at }: Wanted, { firstDate }: ArchiveIndex): readonly IndexedRecord[] {
  const moment = toTime(at ?? firstDate);
  const rank = (record: IndexedRecord): readonly number[] => {
    const distance = Math.abs(toTime(record.date) - moment);
    const fault = record.status === 0 || (record.status >= 200 && record.status < 300) ? 0 : 1;
    const last = record.status === 206 ? 1 : record.status === 304 ? 2 : 0;
    return at === undefined ? [last, fault, distance, record.offset] : [last, distance, fault, record.offset];
  };
  const ranked = records.map((record) => ({ record, rank: rank(record) }));
  const order = (one: readonly number[], other: readonly number[]) =>
    one.reduce((before, value, at_) => (before === 0 ? value - (other[at_] ?? 0) : before), 0);
  return ranked.sort((one, other) => order(one.rank, other.rank)).map(({ record }) => record);
}

function toTime(digits: string): number {
  return toDate(digits)?.getTime() ?? 0;
}

/** A redirect of another spelling of a URL to the URL itself. */
function leadsTo(href: string, { status, headers, url }: FoundResponse['response']): boolean {
  const location = status >= 300 && status < 400 ? headers.find(([name]) => name.toLowerCase() === 'location')?.[1] : undefined;
  return location !== undefined && URL.canParse(location, url) && toHref(new URL(location, url).href) === href;
}
