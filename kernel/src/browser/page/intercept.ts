import { readUrl } from '../../egress/read-url.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import { applyUserAgent, type UserAgentProfile } from '../emulation/user-agent-profile.js';
import type {
  EventPayload,
  InterceptedRequest,
  InterceptHandler,
  InterceptHub,
  InterceptResult,
  TargetSession,
  TargetTree,
} from '../protocol/contract.js';
import { enableNetwork } from '../protocol/enable-network.js';
import { isNoLongerPaused } from '../protocol/network-errors.js';
import { createSerialQueue } from '../../run-serially.js';
import { createRefererStore } from './redirect-referer.js';

type Paused = EventPayload<'Fetch.requestPaused'>;

export interface InterceptOptions {
  readonly targets: TargetTree;
  /** The user agent profile to apply to every request. */
  readonly identity: () => UserAgentProfile;
  readonly log: Logger;
  /** Takes the errors that handlers give for URLs. */
  readonly refusals: Map<string, PlatenError>;
}

/** The one owner of the Fetch domain: a second `Fetch.enable` would replace the patterns of the first. */
export function createInterceptHub({ targets, identity, log, refusals }: InterceptOptions): InterceptHub {
  const handlers: InterceptHandler[] = [];
  const decide = decider({ handlers, identity, log, refusals });

  const listen = (target: TargetSession): void => {
    target.on('Fetch.requestPaused', (paused) => {
      decide(paused, target).catch((error: unknown) => {
        if (isNoLongerPaused(error)) return;
        // Otherwise the request would stay paused forever. The target and its request may be gone.
        if (!(error instanceof PlatenError)) log.warn({ err: error }, 'a request could not be continued and is failed');
        target.send('Fetch.failRequest', { requestId: paused.requestId, errorReason: 'Failed' }).catch(() => undefined);
      });
    });
  };
  const pausing = createPausing(targets, listen);

  const listenOnce = (target: TargetSession): readonly Promise<unknown>[] => {
    const first = initialRequestFilter(target, identity());
    if (!first || handlers.length > 0) return [];
    pausing.hear(target);
    onInitialResponse(target, () => {
      // Requests that are still paused continue unchanged.
      if (handlers.length === 0) target.send('Fetch.disable').catch(() => undefined);
    });
    return [target.send('Fetch.enable', { patterns: [{ urlPattern: '*', ...first }] })];
  };
  targets.configure(listenOnce);

  return {
    use(handler) {
      handlers.push(handler);
      handlers.sort((a, b) => a.stage - b.stage);
      if (handlers.length === 1) pausing.start();
      return () => {
        const index = handlers.indexOf(handler);
        if (index < 0) return;
        handlers.splice(index, 1);
        if (handlers.length === 0) pausing.stop();
      };
    },
  };
}

/** Requests of all targets are paused from the start to the stop, each target by one call. */
function createPausing(targets: TargetTree, listen: (target: TargetSession) => void) {
  const heard = new WeakSet<TargetSession>();
  const paused = new Set<TargetSession>();
  let on = false;
  const hear = (target: TargetSession): void => {
    if (heard.has(target)) return;
    heard.add(target);
    listen(target);
    target.onEnd(() => paused.delete(target));
  };
  const pause = (target: TargetSession): readonly Promise<unknown>[] => {
    // A worker's requests are paused on the session of the frame that it belongs to.
    if (!on || paused.has(target) || target.kind === 'worker' || target.kind === 'worklet') return [];
    paused.add(target);
    hear(target);
    return [target.send('Fetch.enable', { patterns: [{ urlPattern: '*' }] })];
  };
  return {
    /** Receives paused requests of a target whose requests another component pauses. */
    hear,
    start() {
      on = true;
      targets.configure(pause);
    },
    stop() {
      on = false;
      for (const target of paused) target.send('Fetch.disable').catch(() => undefined);
      paused.clear();
    },
  };
}

/** Bytes of an answer that is encoded and sent alone. */
const LARGE = 2 ** 20;

type DecideParts = Pick<InterceptOptions, 'identity' | 'log' | 'refusals'> & { readonly handlers: readonly InterceptHandler[] };

function decider({ handlers, identity, log, refusals }: DecideParts): (paused: Paused, target: TargetSession) => Promise<void> {
  const referers = createRefererStore();
  const large = createSerialQueue();
  return async (paused, target) => {
    const { requestId } = paused;
    const request = describe(paused, target);
    if (request) {
      applyUserAgent(request.headers, identity());
      referers.restore(paused, request.headers);
    }
    const result = request && (await askHandlers(request, handlers, log));
    if (!request) {
      // A host that no name service can resolve and no handler can check.
      await target.send('Fetch.failRequest', { requestId, errorReason: 'NameNotResolved' });
    } else if (result && 'fail' in result) {
      if (result.error !== undefined) refusals.set(paused.request.url, result.error);
      await target.send('Fetch.failRequest', { requestId, errorReason: result.fail });
    } else if (result) {
      const fulfill = () => target.send('Fetch.fulfillRequest', { requestId, ...answerOf(result.fulfill) });
      // Several times the size is in use until the browser has it.
      await (result.fulfill.body.length > LARGE ? large.take('', fulfill) : fulfill());
    } else {
      const redirect = referers.note(paused, request.headers);
      if (redirect) await target.send('Fetch.fulfillRequest', redirect);
      else await target.send('Fetch.continueRequest', { requestId, ...changedHeaders(request, paused) });
    }
  };
}

async function askHandlers(
  request: InterceptedRequest,
  handlers: readonly InterceptHandler[],
  log: Logger,
): Promise<InterceptResult | undefined> {
  for (const handler of handlers) {
    try {
      const result = await handler.request(request);
      if (result) return result;
    } catch (error) {
      // A filter that cannot decide must not let the request through.
      log.error({ err: error, handler: handler.name }, 'an intercept handler failed: the request is failed');
      return { fail: 'Failed' };
    }
  }
  return undefined;
}

function describe({ request, resourceType, frameId, networkId }: Paused, target: TargetSession): InterceptedRequest | undefined {
  const url = readUrl(request.url);
  if (url === undefined) return undefined;
  const headers = new Map(Object.entries(request.headers));
  const body = () => readBody(request, { target, networkId });
  return { url, method: request.method, resourceType, networkId, target, frameId, headers, body };
}

/** Short data comes with the request; longer data, and files, must be requested. */
async function readBody(
  { hasPostData, postDataEntries: entries = [] }: Paused['request'],
  { target, networkId: requestId }: Pick<InterceptedRequest, 'target' | 'networkId'>,
): Promise<Buffer | undefined> {
  const parts = entries.flatMap(({ bytes }) => (bytes === undefined ? [] : [Buffer.from(bytes, 'base64')]));
  if (parts.length > 0 && parts.length === entries.length) return Buffer.concat(parts);
  if (hasPostData !== true || requestId === undefined) return undefined;
  const asked = await target.send('Network.getRequestPostData', { requestId }).catch(() => undefined);
  return asked && Buffer.from(asked.postData, asked.base64Encoded ? 'base64' : 'utf8');
}

/** The complete header list, which replaces the browser's; omitted if nothing changed. */
function changedHeaders({ headers }: InterceptedRequest, { request }: Paused): { headers?: { name: string; value: string }[] } {
  const before = new Map(Object.entries(request.headers));
  if (headers.size === before.size && [...headers].every(([name, value]) => before.get(name) === value)) return {};
  return { headers: [...headers].map(([name, value]) => ({ name, value })) };
}

function answerOf({ status, headers, body }: Extract<InterceptResult, { fulfill: unknown }>['fulfill']) {
  return { responseCode: status, responseHeaders: headers.map(([name, value]) => ({ name, value })), body: body.toString('base64') };
}

/**
 * Requests sent with the browser's real user agent despite their target's overrides, since the browser builds them earlier: a popup's first
 * document (client hints), a service worker's script (everything). Undefined for all other targets.
 */
function initialRequestFilter(target: TargetSession, { differs }: UserAgentProfile): { readonly resourceType?: 'Document' } | undefined {
  // A popup without an opener sends the real hints even with the browser's own user agent: they reveal the headless browser.
  if (target.kind === 'page' && !target.primary) return { resourceType: 'Document' };
  return target.kind === 'service_worker' && differs ? {} : undefined;
}

/** Runs the listener once the initial request is over. A popup's may be redirected; a service worker's may not. */
function onInitialResponse(target: TargetSession, listener: () => void): void {
  if (target.kind === 'service_worker') {
    enableNetwork(target).catch(() => undefined);
    const stop = target.on('Network.responseReceived', () => {
      stop();
      listener();
    });
    return;
  }
  const stop = target.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    stop();
    listener();
  });
}
