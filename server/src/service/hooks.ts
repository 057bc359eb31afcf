import type { AssetStore, Logger, PublishedAsset, RenderOptions, RenderPlan, RenderResult } from '@platen/kernel';
import type { Source } from '@platen/schema';
import { AsyncSeriesBailHook, AsyncSeriesHook, SyncBailHook, SyncHook, SyncWaterfallHook } from 'tapable';
import type { Router } from './router.js';
import type { TraceContext } from './trace-context.js';
import type { ApiDescription } from './api-description.js';
import type { CacheOutcome, RequestRecord } from './record.js';
import type { StatusReport } from './status-report.js';
import type { AssetStoreOptions, ResultStore, ResultStoreOptions, ServerAssetStore } from './stores.js';

/** An `authorize` tap's view of a request, before any of its data is trusted. */
export interface AuthorizeRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. If `Authorization` is sent more than once, all its values are here. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Adds a header to the response, also if the request is rejected: `WWW-Authenticate`. */
  header(name: string, value: string): void;
  /** Marks query parameters as credentials: they are removed from the render parameters, whichever tap lets the request in. */
  strip(...names: readonly string[]): void;
  /** Adds another way to authenticate, such as `sign the URL`: the error for missing credentials lists all ways. */
  addChallenge(way: string): void;
  /** Allows a cross-site page to send this request, whichever tap lets it in: the request is signed or equally protected. */
  allowCrossSite(): void;
}

/** The request is allowed. */
export interface Authorized {
  /** The client's name in logs and metrics: one of the few names that the operator has configured. */
  readonly identity?: string;
  /** The request may purge the whole cache, which other credentials do not permit. */
  readonly mayPurgeAll?: boolean;
}

/** The result of a render, before it is sent. With an `ETag` or `Last-Modified` header it supports conditional requests. */
export interface RenderResponse extends RenderResult {
  readonly cache?: CacheOutcome;
}

/** A render that is about to start. */
export interface RenderCall {
  readonly id: string;
  /** `GET /`, `POST /`, `command line`. */
  readonly endpoint: string;
  readonly plan: RenderPlan;
  readonly signal: AbortSignal;
  readonly identity?: string;
  /** Adds a header to the response, also if the render fails; without effect on the command line. */
  header(name: string, value: string): void;
}

/** An admitted render, with the parts that the kernel would render it with. */
export interface AdmittedCall extends RenderCall, RenderOptions {
  readonly signal: AbortSignal;
  readonly log: Logger;
  readonly store: AssetStore;
  readonly waitedMs: number;
}

/** A valid request whose client does not want to wait for the render (`Prefer: respond-async`). */
export interface DeferrableCall extends Omit<RenderCall, 'signal' | 'header'> {
  readonly trace?: TraceContext;
  readonly source: Source;
  /** The parameters as given, from which the plan was made. */
  readonly raw: unknown;
  /** A header of the request; empty if it was not sent. */
  requestHeader(name: string): string;
}

/** The response to it: 202. */
export interface Deferred {
  /** Path of the resource that shows how far the render is. */
  readonly location: string;
  /** Sent as JSON. */
  readonly body: object;
}

/** A render that a tap may replace by its own response. */
export interface InterceptableRender extends RenderCall {
  /** Reports how a cache handles the request: observers receive it, also if the render fails. */
  reportCacheStatus(outcome: CacheOutcome): void;
  /**
   * Continues with admission and the render, both ended by the given signal. For a tap that stores or shares the result; the result that a
   * tap returns is not rendered again.
   */
  render(signal: AbortSignal): Promise<RenderResult>;
}

/** The validators of a cached result; the set of all results has none. */
export interface StoredValidators {
  readonly etag?: string;
  /** As in the header `Last-Modified`. */
  readonly lastModified?: string;
}

/** Throws `precondition_failed` if the request's preconditions do not match the cached result (undefined: nothing is cached). */
export type Preconditions = (kept: StoredValidators | undefined) => void;

/** Values of startup flags, by flag name without leading dashes. */
export type FlagValues = Readonly<Record<string, unknown>>;

/**
 * Registers a function that makes new values active. The functions of all taps run together, before anything else happens, once every tap
 * has accepted its values; otherwise none of them runs. A function must be synchronous and must not fail. If it fails all the same, the
 * others still run, and the log names the plugin.
 */
export type Commit = (apply: () => void) => void;

/** The result of one check of `platen doctor`. */
export interface Finding {
  /** Stable name, for scripts. */
  readonly id: string;
  /** `remark`: Platen works with limitations; `missing`: it does not work. */
  readonly state: 'ok' | 'remark' | 'missing';
  /** The result on one line. */
  readonly text: string;
  /** How to fix it. */
  readonly fix?: string;
  /** The same data as `text`, for scripts. Sizes in bytes. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Adds a line to the report of `platen doctor`. Its text and facts contain no secrets. */
export type ReportFinding = (finding: Finding) => void;

/** Digests of data that was read since the start and that affects render results, by kind: `ip-blocklist`. */
export type ReadDigests = Readonly<Record<string, string>>;

/** Undefined: every plan, and no condition. */
export type PurgeArguments = [plan: RenderPlan | undefined, preconditions: Preconditions | undefined];

/** Hooks of one render, in order. */
function createRenderHooks() {
  return {
    /** The first tap that returns a value has accepted the render, to be carried out later by `ServerApi.render`: the client gets 202. */
    defer: new AsyncSeriesBailHook<[DeferrableCall], Deferred | undefined>(['call'], 'defer'),
    /** The first tap that returns a value replaces the render: a cached result, a report. */
    beforeRender: new AsyncSeriesBailHook<[InterceptableRender], RenderResponse | undefined>(['call'], 'beforeRender'),
    /** Waits until the render may start, or rejects it (`too_many_requests`). The first value wins: a slot, disposed of after the render. */
    admit: new AsyncSeriesBailHook<[RenderCall], Disposable | undefined>(['call'], 'admit'),
    /** Carries out an admitted render elsewhere, on another machine: the first result wins. Without one, the kernel renders here. */
    execute: new AsyncSeriesBailHook<[AdmittedCall], RenderResult | undefined>(['call'], 'execute'),
  };
}

/** Hooks by which plugins supply stores. */
function createStoreHooks() {
  return {
    /** Once, before the taps of `start`: the first tap that returns a store replaces the disk store of additional assets. */
    assetStore: new AsyncSeriesBailHook<[AssetStoreOptions], ServerAssetStore | undefined>(['options'], 'assetStore'),
    /** When a cache starts: the first tap that returns a store replaces the cache's own. The cache closes it. */
    resultStore: new AsyncSeriesBailHook<[ResultStoreOptions], ResultStore | undefined>(['options'], 'resultStore'),
  };
}

/** All hooks of the server. */
export function createServerHooks() {
  return Object.freeze({
    /**
     * Checks flags without a start, for `platen config`. It reports the errors of `start` and `prepare` that can be found without writing,
     * fetching, binding or running anything. `apply` and `serve` have been called; `listen` only checks its address.
     */
    check: new AsyncSeriesHook<[]>([], 'check'),
    /** Checks services that flags name, for `platen doctor`: taps report findings. `apply`, `prepare` and `serve` have been called. */
    examine: new AsyncSeriesHook<[ReportFinding]>(['report'], 'examine'),
    ...createStoreHooks(),
    /** Runs before the server listens: opens the plugins' resources. An unavailable resource ends the start. */
    start: new AsyncSeriesHook<[]>([], 'start'),
    /** After `start`: a tap that returns false leaves the start of the browser to the first render that needs it. */
    startBrowser: new SyncBailHook<[], false | undefined>([], 'startBrowser'),
    /**
     * Runs when the configuration was read again (SIGHUP, a changed secret file). Taps check the values that can change while serving, read
     * the files that they name, and pass to `commit` a function that makes them active. If a tap throws, nothing changes in any plugin.
     */
    reload: new AsyncSeriesHook<[FlagValues, Commit]>(['flags', 'commit'], 'reload'),
    /** New renders are refused from now on, those in progress may end: a tap that takes work from elsewhere takes no more. */
    drain: new SyncHook<[]>([], 'drain'),
    /** After the last response was sent: closes the resources that `start` opened. */
    stop: new AsyncSeriesHook<[]>([], 'stop'),
    /**
     * A tap allows a request by returning a value, and rejects it by throwing `unauthorized` or `forbidden`. If no tap does either, it is
     * allowed.
     */
    authorize: new AsyncSeriesBailHook<[AuthorizeRequest], Authorized | undefined>(['request'], 'authorize'),
    /** Adds endpoints, once, before the server listens. */
    routes: new SyncHook<[Router]>(['router'], 'routes'),
    ...createRenderHooks(),
    /** Each tap returns the digests with its own added, for every request: a cache separates results of different digests. */
    digests: new SyncWaterfallHook<[ReadDigests]>(['digests'], 'digests'),
    /**
     * `DELETE /`: removes the cached results of a plan, or of every plan, unless the preconditions throw for the cached result. The first
     * tap that returns a value wins. Returns whether anything was removed; undefined without a cache.
     */
    purge: new AsyncSeriesBailHook<PurgeArguments, boolean | undefined>(['plan', 'preconditions'], 'purge'),
    /** Each tap returns the query of an asset's link, changed or not: a signature is added here. */
    assetLink: new SyncWaterfallHook<[URLSearchParams, PublishedAsset]>(['query', 'asset'], 'assetLink'),
    /** Each tap returns the report, changed or not. */
    status: new SyncWaterfallHook<[StatusReport]>(['report'], 'status'),
    /** Each tap returns the description with its own endpoints added, their parameters and responses. */
    describe: new SyncWaterfallHook<[ApiDescription]>(['description'], 'describe'),
    /** Called for every request after its response was sent, failures included. */
    finished: new SyncHook<[RequestRecord]>(['record'], 'finished'),
  });
}

export type ServerHooks = ReturnType<typeof createServerHooks>;

/** Another listener of the same application: it shares the server's responses, authorization and log. */
export interface ExtraListener {
  /** As `--server-bind-address`: a host, or the path of a Unix socket. */
  readonly address: string;
  readonly port: number;
  /** The paths that only this listener serves, instead of the main one. */
  readonly paths: readonly string[];
}

/** Called for each request that has ended. */
export type ReportFinished = (record: RequestRecord) => void;

/** Notifies the observers; an error that one of them throws is only logged. */
export function reportTo({ finished }: Pick<ServerHooks, 'finished'>, log: Logger): ReportFinished {
  return (record) => {
    try {
      finished.call(record);
    } catch (error) {
      log.error({ err: error, request: record.id }, 'an observer of finished requests failed');
    }
  };
}
