/** One response of an archive. */
export interface ArchivedResponse {
  /** As recorded. */
  readonly url: string;
  /** 14 digits, UTC, as in a CDXJ index. */
  readonly date: string;
  /** Empty if unknown. */
  readonly mime: string;
  readonly status: number;
  /** Of the decoded body: without `Content-Encoding`, `Transfer-Encoding` and `Content-Length`. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * The decoded body, or the part of it from the first to the last byte, both included.
   *
   * @throws ArchiveDamaged, also if it has more than `maxBytes`; the signal's reason
   */
  body(options: BodyOptions): Promise<Buffer>;
}

export interface BodyOptions {
  readonly signal: AbortSignal;
  /** Of the returned bytes. */
  readonly maxBytes: number;
  readonly range?: readonly [first: number, last: number];
}

export interface ArchiveQuery {
  readonly method: string;
  readonly url: string;
  readonly body?: Buffer | undefined;
  /** Of the body. */
  readonly contentType?: string | undefined;
  /** 14 digits, UTC. Default: the moment of the first page, or of the first response. */
  readonly at?: string | undefined;
  readonly match: 'fuzzy' | 'exact';
}

export interface FoundResponse {
  readonly response: ArchivedResponse;
  readonly match: 'exact' | 'fuzzy';
}

/** An open archive, for any number of requests at a time. */
export interface Archive {
  readonly kind: 'wacz' | 'warc' | 'har';
  /** Of the file, hex. */
  readonly sha256: string;
  /**
   * The response to a request, by its URL, its SURT form, and if `match` is `fuzzy` without cache busters and posted data; of several that
   * nearest in time, then one of status 2xx.
   *
   * @throws ArchiveDamaged if its record cannot be read, or refers to one that the archive lacks; the signal's reason
   */
  find(query: ArchiveQuery, signal: AbortSignal): Promise<FoundResponse | undefined>;
  /** Whether it is a HAR file that has a response of the URL, but not its body. */
  lacksBody(url: string): boolean;
  /** Up to five URLs of the archive that are most like a missing one, the likest first. */
  alike(url: string, signal: AbortSignal): Promise<readonly string[]>;
  close(): Promise<void>;
}

/** A record, an index or a file of the archive is damaged. The message is a clause that names it and says why. */
export class ArchiveDamaged extends Error {
  override readonly name = 'ArchiveDamaged';
}

/** The file is no archive. The message is a clause that says what it is instead. */
export class NotAnArchive extends Error {
  override readonly name = 'NotAnArchive';
}
