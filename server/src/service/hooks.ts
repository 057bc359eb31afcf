import type { AssetStore, Fragments, Kernel, PublishedAsset, RenderPlan, RenderResult, TapOnly } from '@platen/kernel';
import type Router from '@koa/router';
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncHook, SyncWaterfallHook } from 'tapable';
import type { BodyLimits } from '../http/body-limit.js';
import type { RequestState } from '../http/request-state.js';
import type { ApiDescription } from './api-description.js';
import type { RequestRecord } from './record.js';

/** What an `authorize` tap sees of a request, before anything of it is believed. */
export interface AuthorizeRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. Where `Authorization` is sent more than once, all of it is here. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Adds a header to the answer, also to a refusal: `WWW-Authenticate`. */
  header(name: string, value: string): void;
  /** These query parameters are credentials and no parameters of what is asked for, whoever lets the request in. */
  strip(...names: readonly string[]): void;
  /** Says how else the request could be let in, as in `sign the URL`: a refusal for want of credentials names all ways. */
  addChallenge(way: string): void;
  /** A page of another site may send this request, whoever lets it in: it was signed, or is as good as that. */
  allowCrossSite(): void;
}

/** The request may go on. */
export interface Authorized {
  /** Who asks, as logs and metrics name it: one of the few names that the operator has given. */
  readonly identity?: string;
  /** It may purge everything, which other credentials are not enough for. */
  readonly mayPurgeAll?: boolean;
}

/** How a cache dealt with a request: metrics count by it. */
export type CacheOutcome = 'hit' | 'miss' | 'bypass';

/** A render's result on its way out. With an `ETag` or `Last-Modified` among its headers it answers conditional requests. */
export interface RenderResponse extends RenderResult {
  readonly cache?: CacheOutcome;
}

/** One render about to happen. */
export interface RenderCall {
  readonly id: string;
  /** `GET /`, `POST /`, `command line`. */
  readonly endpoint: string;
  readonly plan: RenderPlan;
  readonly signal: AbortSignal;
  readonly identity?: string;
  /** Adds a header to the answer, also to a refusal; without effect on the command line. */
  header(name: string, value: string): void;
}

/** A render that a tap may answer itself. */
export interface InterceptableRender extends RenderCall {
  /** Says how a cache deals with the request: observers are told, also where it fails. */
  reportCacheStatus(outcome: CacheOutcome): void;
  /**
   * The rest of the way: admission and the render, both ended by the given signal. For a tap that keeps what comes, or shares it;
   * what a tap answers with is not rendered again.
   */
  render(signal: AbortSignal): Promise<RenderResult>;
}

/** The validators of a kept result; of all results together there are none. */
export interface StoredValidators {
  readonly etag?: string;
  /** As in the header `Last-Modified`. */
  readonly lastModified?: string;
}

/** Throws `precondition_failed` where a request presumes something else than what is kept, undefined: nothing. */
export type Preconditions = (kept: StoredValidators | undefined) => void;

/** What `GET /status` answers; never a secret. */
export interface StatusReport {
  /** `degraded`: no browser can open a page. */
  readonly status: 'ok' | 'degraded' | 'draining';
  /** Renders in progress. */
  readonly in_flight: number;
  readonly queued: number;
  readonly max_concurrency: number;
  readonly uptime_seconds: number;
  readonly version: string;
  /** What a cache holds, where there is one: for observers, `GET /status` leaves it out. */
  readonly cache?: CacheReport;
  /** What was kept from pages, where there are lists: for observers, `GET /status` leaves it out. */
  readonly adblock?: AdblockReport;
}

export interface AdblockReport {
  readonly lists: number;
  readonly rules: number;
  readonly skipped_lines: number;
  /** Requests since the start. */
  readonly blocked: number;
  readonly replaced: number;
  readonly rewritten: number;
}

export interface CacheReport {
  readonly entries: number;
  readonly bytes: number;
  readonly limit_bytes: number;
}

/** Values of start-up flags, by flag name without dashes in front. */
export type FlagValues = Readonly<Record<string, unknown>>;

/**
 * Takes note of what puts new values in force. It is called once every tap has found its values to hold, with all others in one go and
 * before anything else happens, or not at all; it does nothing that may fail or that would have to be waited for. Where it fails all the
 * same, the others are called nevertheless, and the log says which plugin it was.
 */
export type Commit = (apply: () => void) => void;

/** Digests of what was read since the start and decides what renders come to, by what it is: `ip-blocklist`. */
export type ReadDigests = Readonly<Record<string, string>>;

/** The server's whole extension surface. */
export function createServerHooks() {
  return Object.freeze({
    /**
     * Flags are judged without a start, for `platen config`: as far as what a `start` or `prepare` would refuse shows without writing,
     * fetching, binding or running anything. `apply` and `serve` have been called, `listen` judges its address alone.
     */
    check: new AsyncSeriesHook<[]>([], 'check'),
    /** Before the server listens: what a plugin needs is opened, and what cannot be had ends the start. */
    start: new AsyncSeriesHook<[]>([], 'start'),
    /**
     * The configuration was read again (a hangup signal, a secret's file that changed): taps judge what can change while serving, read what
     * it names, and hand to `commit` what takes it over. Where one of them throws, nothing changes anywhere.
     */
    reload: new AsyncSeriesHook<[FlagValues, Commit]>(['flags', 'commit'], 'reload'),
    /** The last answer is out: what `start` opened is closed. */
    stop: new AsyncSeriesHook<[]>([], 'stop'),
    /** First answer wins: it lets the request in; a tap refuses by throwing `unauthorized` or `forbidden`. No answer at all: let in. */
    authorize: new AsyncSeriesBailHook<[AuthorizeRequest], Authorized | undefined>(['request'], 'authorize'),
    /** Adds endpoints, once, before the server listens. */
    routes: new SyncHook<[Router<RequestState>]>(['router'], 'routes'),
    /** First answer wins and replaces the render: a cached result, a report. */
    beforeRender: new AsyncSeriesBailHook<[InterceptableRender], RenderResponse | undefined>(['call'], 'beforeRender'),
    /** Waits until the render may begin, or refuses it with `too_many_requests`. First answer wins: a slot, disposed of when the render is over. */
    admit: new AsyncSeriesBailHook<[RenderCall], Disposable | undefined>(['call'], 'admit'),
    /** Each tap answers with the digests, its own added: a cache keeps apart what was rendered under others. Asked with every request. */
    digests: new SyncWaterfallHook<[ReadDigests]>(['digests'], 'digests'),
    /**
     * `DELETE /`: forgets the results of a plan, or of every plan, unless the preconditions throw when they are told what is kept. First answer
     * wins: whether there were any. No answer: nothing is kept here.
     */
    purge: new AsyncSeriesBailHook<[RenderPlan | undefined, Preconditions | undefined], boolean | undefined>(
      ['plan', 'preconditions'],
      'purge',
    ),
    /** Each tap answers with the query of an asset's link, changed or not: a signature is added here. */
    assetLink: new SyncWaterfallHook<[URLSearchParams, PublishedAsset]>(['query', 'asset'], 'assetLink'),
    /** Each tap answers with the report, changed or not. */
    status: new SyncWaterfallHook<[StatusReport]>(['report'], 'status'),
    /** Each tap answers with the description, its own endpoints added: what they are asked and what they answer. */
    describe: new SyncWaterfallHook<[ApiDescription]>(['description'], 'describe'),
    /** Told of every request once its answer is out, failures included. */
    finished: new SyncHook<[RequestRecord]>(['record'], 'finished'),
  });
}

export type ServerHooks = ReturnType<typeof createServerHooks>;

type SyncTapOnly<A extends unknown[], R> = Pick<TapOnly<A, R>, 'tap'>;

/** Another listener of the same application: its answers, its authorization and its log are the server's. */
export interface ExtraListener {
  /** As `--server-bind-address`: a host, or the path of a Unix socket. */
  readonly address: string;
  readonly port: number;
  /** The paths that it answers, and that the main listener no longer does. */
  readonly paths: readonly string[];
}

declare module '@platen/kernel' {
  interface ServerApi {
    readonly hooks: {
      readonly check: TapOnly<[], void>;
      readonly start: TapOnly<[], void>;
      readonly reload: TapOnly<[FlagValues, Commit], void>;
      readonly stop: TapOnly<[], void>;
      readonly authorize: TapOnly<[AuthorizeRequest], Authorized | undefined>;
      readonly routes: SyncTapOnly<[Router<RequestState>], void>;
      readonly beforeRender: TapOnly<[InterceptableRender], RenderResponse | undefined>;
      readonly admit: TapOnly<[RenderCall], Disposable | undefined>;
      readonly digests: SyncTapOnly<[ReadDigests], ReadDigests>;
      readonly purge: TapOnly<[RenderPlan | undefined, Preconditions | undefined], boolean | undefined>;
      readonly assetLink: SyncTapOnly<[URLSearchParams, PublishedAsset], URLSearchParams>;
      readonly status: SyncTapOnly<[StatusReport], StatusReport>;
      readonly describe: SyncTapOnly<[ApiDescription], ApiDescription>;
      readonly finished: SyncTapOnly<[RequestRecord], void>;
    };
    /** What a report may say of the kernel, and what it would make of a request; plugins neither render nor close by themselves. */
    readonly kernel: Pick<Kernel, 'version' | 'plugins' | 'schema' | 'validate' | 'plan' | 'status'>;
    /** Values of the start-up flags that are no secrets. */
    readonly flags: FlagValues;
    /** What every start-up flag that there is says of itself, by its name without dashes in front. */
    readonly flagFragments: Fragments;
    /**
     * Whether a start-up flag has a value that is in force now, also by a reload: asked anew, not remembered. Of a secret one nobody but
     * its owner learns more.
     */
    isGiven(flag: string): boolean;
    /** The endpoints that plugins have told of in `describe`; for a tap of `start` or later, when all of them stand. */
    describe(): ApiDescription;
    /** What plugins have read since the start, by `digests`. */
    digests(): ReadDigests;
    /** Additional assets that have not expired. What it finds can be published again, with a lifetime anew. */
    readonly assets: Pick<AssetStore, 'find'>;
    /** Largest bodies of `POST /`. */
    bodyLimits(): BodyLimits;
    /** What `GET /status` answers, and more. */
    status(): StatusReport;
    /** The endpoint of each request in progress, as in `RequestRecord`; `other` before it is known. */
    openEndpoints(): readonly string[];
    /** Opens another listener, in a tap of `start`; resolves with its URL, or `unix:PATH`. It is closed with the server. */
    listen(listener: ExtraListener): Promise<string>;
  }
}
