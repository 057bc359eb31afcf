/** A storage state in Playwright's format, with `sessionStorage` and `cacheStorage` added. Validated by the schema in params.ts. */
export interface StorageState {
  readonly cookies?: readonly StateCookie[];
  readonly origins?: readonly OriginState[];
}

export interface StateCookie {
  readonly name: string;
  readonly value: string;
  /** With a leading dot it applies to subdomains too; without one it is host-only. */
  readonly domain?: string;
  readonly path?: string;
  /** Replaces domain and path. */
  readonly url?: string;
  /** Seconds since 1970; -1 for a session cookie. */
  readonly expires?: number;
  readonly httpOnly?: boolean;
  readonly secure?: boolean;
  readonly sameSite?: 'Strict' | 'Lax' | 'None';
  /** Top-level site of a partitioned cookie, as Playwright writes it. */
  readonly partitionKey?: string;
  readonly _crHasCrossSiteAncestor?: boolean;
}

export interface OriginState {
  readonly origin: string;
  readonly localStorage?: readonly NamedValue[];
  readonly sessionStorage?: readonly NamedValue[];
  readonly indexedDB?: readonly Database[];
  readonly cacheStorage?: readonly Cached[];
}

export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

/** At most one of both; neither for a store without a key path. */
export interface KeyPath {
  readonly keyPath?: string;
  readonly keyPathArray?: readonly string[];
}

export interface Database {
  readonly name: string;
  readonly version: number;
  readonly stores: readonly ObjectStore[];
}

export interface ObjectStore extends KeyPath {
  readonly name: string;
  readonly autoIncrement?: boolean;
  readonly indexes?: readonly (KeyPath & { readonly name: string; readonly unique?: boolean; readonly multiEntry?: boolean })[];
  readonly records?: readonly DatabaseRecord[];
}

/** Key and value are plain if JSON can represent them, otherwise tagged as in in-page/encode.ts. */
export interface DatabaseRecord {
  readonly key?: unknown;
  readonly keyEncoded?: unknown;
  readonly value?: unknown;
  readonly valueEncoded?: unknown;
}

export interface Cached {
  readonly name: string;
  readonly entries: readonly CachedEntry[];
}

export interface CachedEntry {
  readonly request: { readonly method?: string; readonly url: string; readonly headers?: readonly NamedValue[] };
  readonly response: {
    /** 0: an opaque response, whose content scripts cannot read. */
    readonly status?: number;
    readonly statusText?: string;
    readonly type?: string;
    readonly url?: string;
    readonly headers?: readonly NamedValue[];
  };
  readonly bodyBase64?: string;
}
