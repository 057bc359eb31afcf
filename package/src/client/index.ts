// A client of the server, for Node and browsers. It needs no other package.
import { type ClientOptions, createConnection, type Rendered } from './connection.js';
import { type BatchOptions, type BatchResult, type CallOptions, type Job, type JobOptions, renderBatch, renderJob } from './jobs.js';
import { signUrl } from './sign-url.js';
import type { AnyParams, OutputType, RenderParams } from './types.js';

export { type Asset, type ClientOptions, PlatenError, type Rendered } from './connection.js';
export type { BatchOptions, BatchResult, CallOptions, Job, JobOptions, JobProgress } from './jobs.js';
export type { AnyParams, OutputType, Problem, RenderParams } from './types.js';

/** A parameter of another output type is an error. */
type ByParams<R, O = never> = <T extends OutputType = 'json' | 'png', W extends OutputType = never>(
  params: RenderParams<T, W>,
  options?: O,
) => R;

export interface Client {
  /** Rejects with a `PlatenError`. */
  readonly render: ByParams<Promise<Rendered>, CallOptions>;
  /** Renders without an open connection (`--server-enable-jobs`). `signal` cancels the job. */
  readonly job: ByParams<Promise<Job>, JobOptions>;
  /** Renders all, a few at a time, and yields the results in the order in which they end. Leaving the loop aborts the others. */
  batch(requests: Iterable<AnyParams>, options?: BatchOptions): AsyncGenerator<BatchResult, void, undefined>;
  /** The address of a render, for a link or an image. */
  readonly url: ByParams<string>;
  /** The address of a render or an asset, with a signature that expires after so many seconds. Default: 3600. */
  sign(url: string, options?: { readonly expiresIn?: number }): Promise<string>;
}

export function createClient(options: ClientOptions): Client {
  const connection = createConnection(options);
  return {
    render: async (params, { signal } = {}) => connection.toRendered(await connection.post(params, signal)),
    job: async (params, more) => await renderJob(connection, params, more),
    batch: (requests, more) => renderBatch(connection, requests, more),
    url: (params) => `${connection.base}/?${toQuery(params)}`,
    sign: async (url, { expiresIn = 3600 } = {}) => {
      if (options.secret === undefined) throw new TypeError('createClient needs "secret" to sign URLs');
      return await signUrl(url, options.secret, Math.floor(Date.now() / 1000) + expiresIn);
    },
  };
}

/** Lists are repeated keys. A query has no objects. */
function toQuery(params: object): string {
  const pairs = Object.entries(params).flatMap(([key, value]: [string, unknown]) => [value].flat().map((item) => [key, item] as const));
  const given = pairs.filter(([, item]) => item !== null && item !== undefined);
  const [key] = given.find(([, item]) => typeof item === 'object') ?? [];
  if (key !== undefined) throw new TypeError(`"${key}" is an object, which cannot be in a URL`);
  return new URLSearchParams(given.map(([name, item]) => [name, String(item)])).toString();
}
