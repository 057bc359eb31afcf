import type { Kernel, RenderPlan, RenderResult, TapOnly } from '@platen/kernel';
import type Router from '@koa/router';
import { AsyncSeriesBailHook, SyncHook } from 'tapable';
import type { Exchange } from '../http/exchange.js';
import type { RequestRecord } from './record.js';

/** What an `authorize` tap sees of a request, before anything of it is believed. */
export interface AuthorizeRequest {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly query: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Adds a header to the answer, also to a refusal: `WWW-Authenticate`. */
  header(name: string, value: string): void;
}

/** The request may go on. */
export interface Authorized {
  /** Query parameters that were credentials: they are no render parameters. */
  readonly strip?: readonly string[];
}

/** One render about to happen, as a `beforeRender` tap sees it. */
export interface RenderCall {
  readonly id: string;
  /** `GET /`, `POST /`, `command line`. */
  readonly endpoint: string;
  readonly plan: RenderPlan;
  readonly signal: AbortSignal;
}

/** The server's whole extension surface. */
export function createServerHooks() {
  return Object.freeze({
    /** First answer wins: it lets the request in; a tap refuses by throwing `unauthorized` or `forbidden`. No answer at all: let in. */
    authorize: new AsyncSeriesBailHook<[AuthorizeRequest], Authorized | undefined>(['request'], 'authorize'),
    /** Adds endpoints, once, before the server listens. */
    routes: new SyncHook<[Router<Exchange>]>(['router'], 'routes'),
    /** First answer wins and replaces the render: a cached result, a report. */
    beforeRender: new AsyncSeriesBailHook<[RenderCall], RenderResult | undefined>(['call'], 'beforeRender'),
    /** Told of every request once its answer is out, failures included. */
    finished: new SyncHook<[RequestRecord]>(['record'], 'finished'),
  });
}

export type ServerHooks = ReturnType<typeof createServerHooks>;

declare module '@platen/kernel' {
  interface ServerApi {
    readonly hooks: {
      readonly authorize: TapOnly<[AuthorizeRequest], Authorized | undefined>;
      readonly routes: Pick<TapOnly<[Router<Exchange>], void>, 'tap'>;
      readonly beforeRender: TapOnly<[RenderCall], RenderResult | undefined>;
      readonly finished: Pick<TapOnly<[RequestRecord], void>, 'tap'>;
    };
    /** What a report may say of the kernel; plugins neither render nor close by themselves. */
    readonly kernel: Pick<Kernel, 'version' | 'plugins' | 'schema' | 'status'>;
    /** Values of the start-up flags that are no secrets, by flag name without dashes in front. */
    readonly flags: Readonly<Record<string, unknown>>;
    /** Largest body of `POST /` in bytes. */
    bodyLimit(): number;
  }
}
