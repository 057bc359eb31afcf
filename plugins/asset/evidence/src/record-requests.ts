import { enableNetwork, type EventPayload, nameNetError, type RenderContext, type TargetSession, withoutUserinfo } from '@platen/kernel';
import { Lines, shorten } from './lines.js';

type Sent = EventPayload<'Network.requestWillBeSent'>;
type Failed = EventPayload<'Network.loadingFailed'>;

/** Requests in progress that are followed; a page may leave any number open. */
const MAX_OPEN = 1_000;

/** The requests of a page, its frames and its workers that failed or have not ended. */
export interface RequestRecord {
  /** JSON Lines: `{time, method, url, type, status, error}`. Without headers and bodies. */
  stop(): Buffer;
}

interface OpenRequest {
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly method: string;
  readonly url: string;
  readonly type: string;
  status?: number;
}

export function recordRequests(context: Pick<RenderContext, 'page' | 'egress'>, redact: (text: string) => string): RequestRecord {
  const log = new RequestLog(context.egress, redact);
  context.page.targets.configure((target) => (log.isOpen ? log.follow(target) : []));
  return { stop: () => log.stop() };
}

class RequestLog {
  isOpen = true;
  readonly #lines = new Lines();
  /** By their ids, which are those of all targets: a worker's script is requested by the page and received by the worker. */
  readonly #pending = new Map<string, OpenRequest>();
  readonly #egress: RenderContext['egress'];
  readonly #redact: (text: string) => string;

  constructor(egress: RenderContext['egress'], redact: (text: string) => string) {
    this.#egress = egress;
    this.#redact = redact;
  }

  follow(target: TargetSession): readonly Promise<unknown>[] {
    target.on('Network.requestWillBeSent', (event) => this.#open(event.requestId, fromRequest(event)));
    target.on('Network.webSocketCreated', ({ requestId, url }) => {
      this.#open(requestId, { time: Date.now(), method: 'GET', url, type: 'WebSocket' });
    });
    target.on('Network.responseReceived', ({ requestId, response: { status } }) => {
      const request = this.#pending.get(requestId);
      if (request !== undefined) request.status = status;
    });
    target.on('Network.loadingFinished', ({ requestId }) => this.#end(requestId));
    target.on('Network.loadingFailed', (event) => this.#end(event.requestId, this.#reasonOf(event)));
    target.on('Network.webSocketHandshakeResponseReceived', ({ requestId }) => void this.#pending.delete(requestId));
    target.on('Network.webSocketFrameError', ({ requestId, errorMessage }) => this.#end(requestId, errorMessage));
    return [enableNetwork(target)];
  }

  stop(): Buffer {
    // The body of an error may never be read.
    for (const request of this.#pending.values()) this.#write(request, isError(request) ? undefined : 'not finished');
    this.isOpen = false;
    this.#pending.clear();
    return this.#lines.toBuffer();
  }

  #open(id: string, request: OpenRequest): void {
    // A redirected request has the same id again.
    if (this.#pending.size < MAX_OPEN || this.#pending.has(id)) this.#pending.set(id, request);
  }

  #end(id: string, error?: string): void {
    const request = this.#pending.get(id);
    if (request === undefined) return;
    this.#pending.delete(id);
    if (error !== undefined || isError(request)) this.#write(request, error);
  }

  #reasonOf({ requestId, errorText, blockedReason, corsErrorStatus, canceled }: Failed): string {
    const { url, status } = this.#pending.get(requestId) ?? {};
    // Behind the proxy of the render the browser often does not know why there is no response.
    const named = url === undefined || status !== undefined ? errorText : nameNetError({ url, errorText, entries: this.#egress.entries });
    const details = [blockedReason, corsErrorStatus?.corsError, canceled === true ? 'canceled' : undefined].filter(Boolean);
    return details.length === 0 ? named : `${named} (${details.join(', ')})`;
  }

  #write({ time, method, url, type, status }: OpenRequest, error: string | undefined): void {
    if (!this.isOpen) return;
    const shown = shorten(this.#redact(withoutUserinfo(url)));
    this.#lines.add({ time: new Date(time).toISOString(), method, url: shown, type, status: status ?? null, error: error ?? null });
  }
}

function isError({ status = 0 }: OpenRequest): boolean {
  return status >= 400;
}

function fromRequest({ request: { method, url }, type = 'Other', wallTime }: Sent): OpenRequest {
  return { time: wallTime * 1000, method, url, type };
}
