import type { ParameterizedContext } from 'koa';
import type { RequestState } from '../service/request-state.js';

/** Koa's context of a request, for the server's own endpoints. Those of plugins see a `RouteContext`. */
export type ServerContext = ParameterizedContext<RequestState>;
