import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';
import type { PlatenError } from '../../errors.js';

type Commands = ProtocolMapping.Commands;
type Events = ProtocolMapping.Events;

export type Method = keyof Commands;
export type Params<M extends Method> = Commands[M]['paramsType'];
export type Result<M extends Method> = Commands[M]['returnType'];
export type EventName = keyof Events;
export type EventPayload<E extends EventName> = Events[E][0];

export interface SendOptions {
  /** Timeout of the call in milliseconds: 30,000 by default, never more than the render's remaining time. */
  readonly timeoutMs?: number;
}

/** One DevTools protocol session. Every call ends at the latest with its own timeout, the render's signal, or the target's crash or end. */
export interface ProtocolSession {
  send<M extends Method>(method: M, params?: Params<M>[0], options?: SendOptions): Promise<Result<M>>;
  /** Listens until the returned function is called or the session ends. */
  on<E extends EventName>(event: E, listener: (payload: EventPayload<E>) => void): () => void;
}

/** `worklet` covers every kind of worklet. */
export type TargetKind = 'page' | 'iframe' | 'worker' | 'shared_worker' | 'service_worker' | 'worklet';

export interface InjectOptions {
  /**
   * The source needs the interface objects that a dedicated worker gets only when its script is about to be executed (`USB`, `Serial` and
   * other powerful ones). It runs at that point, which costs a debugger pause.
   */
  readonly needsInterfaces?: boolean;
  /** The source uses DevTools console functions such as `debug`. For workers. */
  readonly commandLine?: boolean;
}

export interface TargetSession extends ProtocolSession {
  readonly targetId: string;
  /** The protocol's id of this session. */
  readonly sessionId: string;
  readonly kind: TargetKind;
  /** The page that the render captures; every other target is its popup, frame or worker. */
  readonly primary: boolean;
  /** It shows documents, and has the domains of their protocol (`Page`, `DOM`): a page, a popup or a cross-site iframe. */
  readonly hasDocuments: boolean;
  /** The target that embeds or has started it. Undefined for pages, popups and service workers. */
  readonly parent: TargetSession | undefined;
  /** Runs the listener once, when the target is gone or has crashed; immediately if that has happened. */
  onEnd(listener: (reason: Error) => void): void;
  /** Opens one more session on the target, without any configuration: each session has its own domain buffers. It ends with the target. */
  openSession(): Promise<ProtocolSession>;
  /**
   * Runs source text before any script of a worker, or of the current and every future document of a page or frame. Its declarations are
   * visible to other scripts in documents only. Several sources run in injection order; a `Runtime.evaluate` sent to a worker that has not
   * started is not sure to be carried out in time.
   */
  inject(source: string, options?: InjectOptions): readonly Promise<unknown>[];
}

/** Configures one target: sends its commands immediately and returns their promises, which are awaited for the primary page only. */
export type TargetInitializer = (target: TargetSession) => readonly Promise<unknown>[];

/**
 * All targets of one render: the page, its popups, out-of-process iframes, workers and worklets. Each is configured before its first script
 * and first request.
 */
export interface TargetTree {
  /** Runs for every existing and future target. */
  configure(initializer: TargetInitializer): void;
  readonly all: readonly TargetSession[];
}

export interface InterceptedRequest {
  readonly url: URL;
  readonly method: string;
  readonly resourceType: string;
  /** Its id in events of the Network domain; undefined for the few requests without one. */
  readonly networkId?: string | undefined;
  readonly target: TargetSession;
  /** The requesting frame, or the frame of a requested document; empty if there is none. */
  readonly frameId: string;
  /** Header names as sent. Handlers change the headers in place; the browser refuses `Host`. */
  readonly headers: Map<string, string>;
  /** The posted bytes; undefined if there are none, or the browser has them no longer. */
  body(): Promise<Buffer | undefined>;
}

export type InterceptResult =
  | {
      readonly fail: 'BlockedByClient' | 'AccessDenied' | 'Aborted' | 'Failed';
      /** With which a navigation to this URL fails. Default: by the network error. */
      readonly error?: PlatenError | undefined;
    }
  | { readonly fulfill: { readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer } };

/**
 * Bytes of a body that a request is answered with: a message to Chromium that is larger than 100 MiB, in base64, ends the browser
 * (`kReceiveBufferSizeForDevtools`).
 */
export const MOST_FULFILLED_BYTES = 64 * 1024 ** 2;

/** Order in which handlers receive a request. */
export const InterceptStage = { scope: 0, filter: 100, supply: 150, headers: 200, sign: 300, storage: 400, archive: 500 } as const;

export interface InterceptHandler {
  readonly name: string;
  readonly stage: (typeof InterceptStage)[keyof typeof InterceptStage];
  /** Called again for every hop of a redirect. Undefined passes the request to the next handler, and finally to the network. */
  request(request: InterceptedRequest): InterceptResult | undefined | Promise<InterceptResult | undefined>;
}

/**
 * One `Fetch.enable` per session, with ordered handlers. It is off, and costs nothing, until the first handler is added. Exceptions: the
 * first document of a popup, and the script of a service worker if the profile has its own user agent, since these requests would reveal
 * the real browser.
 */
export interface InterceptHub {
  /** The returned function removes the handler; removing the last one disables interception. */
  use(handler: InterceptHandler): () => void;
}
