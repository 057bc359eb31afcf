/** A storage state: Playwright's shape, with `sessionStorage` and `cacheStorage` beside it. Checked by the fragment in params.ts. */
export interface StorageState {
  readonly cookies?: readonly StateCookie[];
  readonly origins?: readonly OriginState[];
}

export interface StateCookie {
  readonly name: string;
  readonly value: string;
  /** With a dot in front for subdomains too; without for the host alone. */
  readonly domain?: string;
  readonly path?: string;
  /** In place of domain and path. */
  readonly url?: string;
  /** Seconds since 1970; -1 for a cookie of the session. */
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

/** One of the two, or neither for keys from outside. */
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

/** Key and value plain where JSON can say them, else in the tagged forms of page/encode.ts. */
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
    /** 0: an opaque answer, whose content scripts cannot have. */
    readonly status?: number;
    readonly statusText?: string;
    readonly type?: string;
    readonly url?: string;
    readonly headers?: readonly NamedValue[];
  };
  readonly bodyBase64?: string;
}
