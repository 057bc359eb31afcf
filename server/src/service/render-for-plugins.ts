import { randomUUID } from 'node:crypto';
import { pipeline, Readable, Transform } from 'node:stream';
import { type AssetStore, callOnAbort, drainingError, type PlatenError, type RenderPlan } from '@platen/kernel';
import type { ActiveRequests } from './active-requests.js';
import { toPlatenError } from './problem.js';
import { clientClosed, createRequestState, toRecord, type RequestState } from './request-state.js';
import type { RenderResponse, ReportFinished } from './hooks.js';
import { renderRequest, type RenderRequest, type RenderServiceParts } from './render-service.js';

/** A render that a plugin requests on behalf of its own clients. */
export interface PluginRenderRequest extends Omit<
  RenderRequest,
  'id' | 'onDealt' | 'accepts' | 'openState' | 'readLocalFile' | 'resolveLocalPath' | 'publishAsset'
> {
  /** The request's id in logs and error documents; default: a new one. */
  readonly id?: string;
  /** Takes the additional assets; default: the server's store. */
  readonly store?: AssetStore;
}

/** The result of such a render, before its assets are linked. */
export interface PluginRender extends RenderResponse {
  readonly id: string;
  readonly plan: RenderPlan;
}

export interface PluginRenderParts extends RenderServiceParts {
  readonly open: ActiveRequests;
  readonly onFinished: ReportFinished;
  draining(): boolean;
}

/** `ServerApi.render`: each render is a request in progress, which the server drains, logs and counts, until its output has been read. */
export function createPluginRender(parts: PluginRenderParts): (request: PluginRenderRequest) => Promise<PluginRender> {
  return async (request) => {
    const { id = randomUUID(), trace, endpoint, identity, signal, store = parts.store, onPlanned } = request;
    const state = Object.assign(createRequestState(id, trace), { endpoint }, identity === undefined ? {} : { identity });
    const end = follow(state, signal, parts);
    try {
      if (parts.draining()) throw drainingError();
      const response = await renderRequest(
        { ...parts, store },
        {
          ...request,
          id,
          signal: state.controller.signal,
          onPlanned(plan) {
            state.plan = plan;
            state.format = plan.output.type;
            onPlanned?.(plan);
          },
          onDealt(outcome) {
            state.cache = outcome;
          },
        },
      );
      const { plan } = state;
      if (plan === undefined) throw new Error('a render without a plan');
      state.timings = response.timings;
      return { ...response, id, plan, output: { ...response.output, body: count(response.output.body, state, end) } };
    } catch (thrown) {
      const error = toPlatenError(thrown);
      end(error);
      throw error;
    }
  };
}

/** Returns what ends the request, once, with the error that it failed with. */
function follow(state: RequestState, signal: AbortSignal, { open, onFinished }: PluginRenderParts): (error?: PlatenError) => void {
  const leave = () => {
    state.controller.abort(clientClosed(signal.reason));
  };
  const unfollow = callOnAbort(signal, leave);
  open.add(state);
  let ended = false;
  return (error) => {
    if (ended) return;
    ended = true;
    unfollow();
    if (error !== undefined) state.error ??= error;
    open.delete(state);
    onFinished(toRecord(state, error?.status ?? 200));
  };
}

type Body = RenderResponse['output']['body'];

/** The body, which ends the request when it has been read, has failed, or is destroyed. */
function count(body: Body, state: RequestState, end: (error?: PlatenError) => void): Body {
  if (!(body instanceof Readable)) {
    state.bytes = body.length;
    end();
    return body;
  }
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      state.bytes += chunk.length;
      done(null, chunk);
    },
  });
  const settle = (error: NodeJS.ErrnoException | null | undefined) => {
    if (error === null || error === undefined) end();
    // The reader has destroyed the body.
    else end(error.code === 'ERR_STREAM_PREMATURE_CLOSE' ? clientClosed(error) : toPlatenError(error));
  };
  return pipeline(body, counted, settle);
}
