import {
  ConcurrencyLimiter,
  type InterceptedRequest,
  isRedirect,
  type Logger,
  MOST_FULFILLED_BYTES,
  PlatenError,
  readUrl,
  withoutUserinfo,
} from '@platen/kernel';
import { type Archive, ArchiveDamaged, type ArchivedResponse, type ArchiveQuery, type FoundResponse } from '@platen/lib-archive';

/** Requests that the report lists. All are counted. */
const MOST_LISTED = 10_000;
/** Bodies that are decoded at a time: each may take `MOST_FULFILLED_BYTES`. */
const MOST_DECODED = 4;
/** As many as Chromium follows. */
const MAX_REDIRECTS = 20;

export interface ReplayOptions {
  readonly archive: Archive;
  /** Of the archive, for messages. */
  readonly name: string;
  readonly match: ArchiveQuery['match'];
  /** 14 digits; undefined: the moment of the first target. */
  readonly at: string | undefined;
  readonly signal: AbortSignal;
  readonly log: Logger;
}

export type ReplayQuery = Pick<ArchiveQuery, 'method' | 'url' | 'body' | 'contentType'>;

/** A response with its body. */
export interface ReplayedResponse extends Pick<ArchivedResponse, 'status' | 'headers' | 'date'> {
  readonly body: Buffer;
}

/** What the report says of a request. */
interface ReportedRequest extends Pick<InterceptedRequest, 'method'> {
  readonly url: string;
  readonly record: { readonly url: string; readonly date: string; readonly match: FoundResponse['match'] } | null;
}

/** One render out of an archive. */
export class Replay {
  readonly archive: Archive;
  readonly #options: ReplayOptions;
  readonly #requests: ReportedRequest[] = [];
  readonly #decoding = new ConcurrencyLimiter(MOST_DECODED);
  #preferred: string | undefined;
  #shown: string | undefined;
  #hits = 0;
  #misses = 0;

  constructor(options: ReplayOptions) {
    this.archive = options.archive;
    this.#options = options;
    this.#preferred = options.at;
  }

  /** The moment of the capture that is shown as the target, of a walk the first one: 14 digits, UTC. Before there is one, that which is preferred. */
  get at(): string | undefined {
    return this.#shown ?? this.#preferred;
  }

  get summary(): string {
    const at = this.at === undefined ? '' : `; at=${this.at}`;
    return `hits=${String(this.#hits)}; misses=${String(this.#misses)}${at}`;
  }

  get report() {
    return { requests: this.#requests, hits: this.#hits, misses: this.#misses };
  }

  /**
   * Follows the target through the redirects of the archive.
   *
   * @throws PlatenError `not_in_archive` if a record of it is missing or damaged
   */
  async assertHas(target: string): Promise<void> {
    const { name, signal } = this.#options;
    let url = target;
    let date: string | undefined;
    for (let hops = 0; hops <= MAX_REDIRECTS && /^https?:/.test(url); hops += 1) {
      const asked = { url: withoutUserinfo(url.replace(/#.*/s, '')) };
      try {
        const { response } = (await this.#find({ method: 'GET', ...asked })) ?? {};
        if (response === undefined) throw await this.#missing(asked.url);
        date = response.date;
        this.#preferred ??= date;
        await this.#read(response);
        const location = response.headers.find(([field]) => field.toLowerCase() === 'location')?.[1];
        if (location === undefined || !isRedirect(response.status)) break;
        url = readUrl(location, url)?.href ?? '';
      } catch (error) {
        signal.throwIfAborted();
        if (!(error instanceof ArchiveDamaged)) throw error;
        const detail = `${name} cannot be read where it has the target: ${error.message}`;
        throw new PlatenError('not_in_archive', detail, { cause: error, target: asked });
      }
    }
    this.#shown ??= date;
  }

  /** The archive's response to a request; undefined if there is none, or it cannot be read: that is to be noted by the caller. */
  async answer(query: ReplayQuery): Promise<ReplayedResponse | undefined> {
    const { log, signal } = this.#options;
    try {
      const found = await this.#find(query);
      if (found !== undefined) {
        const { response, match } = found;
        const { url, date, status, headers } = response;
        const body = query.method === 'HEAD' ? Buffer.of() : await this.#read(response);
        this.#note(query, { url, date, match });
        return { status, headers, date, body };
      }
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ArchiveDamaged)) throw error;
      log.warn({ url: query.url, reason: error.message }, 'a record of the replayed archive cannot be read');
    }
    return undefined;
  }

  noteMissing(query: Pick<ReplayQuery, 'method' | 'url'>): void {
    this.#note(query, null);
  }

  #find(query: ReplayQuery): Promise<FoundResponse | undefined> {
    const { archive, match, signal } = this.#options;
    return archive.find({ ...query, at: this.#preferred, match }, signal);
  }

  async #read(response: ArchivedResponse): Promise<Buffer> {
    const { signal } = this.#options;
    const release = await this.#decoding.acquire(signal);
    try {
      return await response.body({ signal, maxBytes: MOST_FULFILLED_BYTES });
    } finally {
      release();
    }
  }

  #note({ method, url }: Pick<ReplayQuery, 'method' | 'url'>, record: ReportedRequest['record']): void {
    if (record === null) this.#misses += 1;
    else this.#hits += 1;
    if (this.#requests.length < MOST_LISTED) this.#requests.push({ method, url, record });
  }

  async #missing(url: string): Promise<PlatenError> {
    const { archive, name, signal } = this.#options;
    if (archive.lacksBody(url)) {
      const detail = `${name} has the response of ${url} without its body: Platen records bodies in a HAR with har_capture_bodies=true`;
      return new PlatenError('not_in_archive', detail, { target: { url } });
    }
    const alike = await archive.alike(url, signal);
    const hint = alike.length === 0 ? '' : `; most like it are ${alike.map(withoutUserinfo).join(', ')}`;
    return new PlatenError('not_in_archive', `${name} has no response of ${url}${hint}`, { target: { url } });
  }
}
