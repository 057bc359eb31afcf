import type { IncomingMessage, ServerResponse } from 'node:http';
import type { RequestState } from './request-state.js';

/** A request and its response, as an endpoint of a plugin sees them: the part of Koa's context that the server keeps stable. */
export interface RouteContext {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly request: { readonly charset: string };
  readonly headers: IncomingMessage['headers'];
  readonly state: RequestState;
  readonly method: string;
  readonly path: string;
  /** Without the question mark. */
  readonly querystring: string;
  /** Of the response; by default 404, or 200 with a body. */
  status: number;
  /** Media type of the response. */
  type: string;
  /** Text, bytes, a stream, or an object that is sent as JSON. */
  body: unknown;
  /** False: the endpoint writes to `res` itself. */
  respond?: boolean | undefined;
  /** A header of the request; empty if it was not sent. */
  get(header: string): string;
  /** The media type of the request's body if it is the given one. */
  is(type: string): string | false | null;
  /** The given media type that the client prefers. */
  accepts(types: string[]): string | false;
  set(header: string, value: string): void;
  vary(header: string): void;
  redirect(url: string): void;
}

/** The values of `:name` and `*name` in the path of a route. */
export interface RoutedContext extends RouteContext {
  readonly params: Readonly<Record<string, string>>;
}

export type AddRoute = (path: string, handle: (ctx: RoutedContext) => void | Promise<void>) => unknown;

/** Adds endpoints: `/jobs/:id`, `/guide/*file`. */
export interface Router {
  readonly get: AddRoute;
  readonly post: AddRoute;
  readonly put: AddRoute;
  readonly patch: AddRoute;
  readonly delete: AddRoute;
}
