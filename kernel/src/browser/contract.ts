import type { FileHandle } from 'node:fs/promises';
import type { ProtocolMapping } from 'devtools-protocol/types/protocol-mapping.js';

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

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

/** The browser and user environment as a page sees it. Sizes in CSS pixels. */
export interface DeviceProfile {
  readonly width: number;
  readonly height: number;
  readonly deviceScaleFactor: number;
  readonly mobile: boolean;
  /** 0: no touch. */
  readonly touchPoints: number;
  /** Undefined: the browser's own, without the headless marker. */
  readonly userAgent: string | undefined;
  /** `navigator.platform`. */
  readonly platform: string | undefined;
  /** The platform of the client hints, in the spelling of `navigator.platform`; undefined: derived from the user agent. */
  readonly hintsPlatform: string | undefined;
  /** The mobile client hint. Undefined: the same as `mobile`, except for a tablet's user agent. */
  readonly hintsMobile: boolean | undefined;
  /** A plain list without q-values, `fr-CH,fr`. */
  readonly acceptLanguage: string | undefined;
  /** The Accept-Language header, if it differs from the header that the browser derives from the list. */
  readonly languageHeader: string | undefined;
}

export type DocumentState = 'DOMContentLoaded' | 'load';

export interface Lifecycle {
  /** Resolves with the moment (performance.now milliseconds) at which the current main document reached the state. */
  reached(state: DocumentState): Promise<number>;
  /**
   * Aborted when waiting has become pointless, with the error to return as its reason: the page crashed or closed, its main document was
   * interrupted, or it navigated by itself to a server that does not respond. `reached` rejects with the same error. Read it again after
   * `goto` and `reload`.
   */
  readonly failed: AbortSignal;
}

export interface TargetResponse {
  readonly url: string;
  readonly status: number;
}

export interface ScreenshotOptions {
  readonly format: 'png' | 'jpeg' | 'webp';
  /** 0 to 100, jpeg and webp only. */
  readonly quality?: number;
  /** In CSS pixels of the document, with the factor by which the screenshot is scaled. */
  readonly clip?: Rect & { readonly scale: number };
  readonly beyondViewport?: boolean;
  /** Png only: fast and larger instead of slow and smaller. */
  readonly fast?: boolean;
}

/** The page that a render captures: small on purpose, with `send` for everything else. */
export interface Page extends TargetSession {
  readonly targets: TargetTree;
  readonly lifecycle: Lifecycle;
  readonly mainFrameId: string;
  readonly profile: DeviceProfile;
  /** Loads the URL and resolves once the document is committed. Throws `target_*` errors. */
  goto(url: string): Promise<TargetResponse | undefined>;
  reload(): Promise<TargetResponse | undefined>;
  /** The response of the current main document, also after navigations by scripts. Undefined if it was not loaded over HTTP. */
  currentResponse(): TargetResponse | undefined;
  /** Changes viewport, scale or touch of the loaded page. */
  setProfile(profile: Partial<DeviceProfile>): Promise<void>;
  /** Runs the function in an isolated world of the main frame: the page's own scripts cannot see or break it. */
  evaluate<A extends readonly unknown[], R>(fn: (...args: A) => R, ...args: A): Promise<Awaited<R>>;
  /** Runs source text in the page's main world. */
  evaluateInMainWorld(source: string): Promise<unknown>;
  /** The first match's bounding rectangle in CSS pixels of the document; null if nothing matches. */
  rect(selector: string): Promise<Rect | null>;
  screenshot(options: ScreenshotOptions): Promise<Buffer>;
  /**
   * Device pixels of a CSS pixel by which the browser lays out and snaps boxes, and snapshots of the protocol count: its own scale. An
   * emulated `deviceScaleFactor` enlarges only the painted output.
   */
  nativeScaleFactor(): Promise<number>;
}

export interface InterceptedRequest {
  readonly url: URL;
  readonly method: string;
  readonly resourceType: string;
  readonly target: TargetSession;
  /** The requesting frame, or the frame of a requested document; empty if there is none. */
  readonly frameId: string;
  /** Header names as sent. Handlers change the headers in place; the browser refuses `Host`. */
  readonly headers: Map<string, string>;
}

export type InterceptResult =
  | { readonly fail: 'BlockedByClient' | 'AccessDenied' | 'Aborted' | 'Failed' }
  | { readonly fulfill: { readonly status: number; readonly headers: readonly (readonly [string, string])[]; readonly body: Buffer } };

/** Order in which handlers receive a request. */
export const InterceptStage = { scope: 0, filter: 100, headers: 200, sign: 300, storage: 400, archive: 500 } as const;

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

/** One connection requested from the render's proxy. */
export interface EgressEntry {
  readonly host: string;
  readonly port: number;
  readonly address: string | undefined;
  readonly outcome: 'allowed' | 'blocked' | 'unresolved' | 'failed';
  readonly reason?: string;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** Progress of a file in bytes; `totalBytes` is 0 if unknown. */
export interface DownloadProgress {
  readonly state: 'inProgress' | 'completed' | 'canceled';
  readonly receivedBytes: number;
  readonly totalBytes: number;
}

/** A file that a target is sent. */
export interface Download {
  readonly url: string;
  /** File name that the browser would use, from the response header, the link's attribute or the URL. Untrusted: the site chooses it. */
  readonly name: string;
  /** Runs immediately, and at every change. */
  onProgress(listener: (progress: DownloadProgress) => void): void;
  cancel(): Promise<void>;
  /** Free bytes on the disk of the file. */
  room(): Promise<number>;
  /** Opens the completed file for reading. The file is unlinked with the page; open handles stay valid. */
  open(): Promise<FileHandle>;
}

/** The files that the page, its frames and its popups are sent. */
export interface Downloads {
  /** Runs for each that begins from now on. */
  onBegin(listener: (download: Download) => void): void;
}

/** The resources of one render: a browser context with one page, closed by disposing it. */
export interface BrowserLease extends AsyncDisposable {
  readonly page: Page;
  readonly intercept: InterceptHub;
  readonly egress: { readonly entries: readonly EgressEntry[] };
  /** Accepts downloads from now on, into a folder that is removed with the page. Until then the browser refuses them. */
  acceptDownloads(): Promise<Downloads>;
  /**
   * Prepares the page's current document, and reads it. If the page navigates to another document during the read, pending `Page` calls are
   * abandoned. The preparation may navigate the page elsewhere and back.
   * @throws `page_unstable` if the page has navigated to another document by itself.
   */
  onOneDocument<T>(steps: { prepare(): Promise<void>; read(): Promise<T> }): Promise<T>;
  /** Milliseconds that the render waited for its turn. */
  readonly queuedMs: number;
  /**
   * True once the browser process behind the page, or its network service, is gone: the page may be incomplete. The browser's state after
   * the page was returned does not matter.
   */
  readonly browserGone: boolean;
}

export type BrowserVariant = 'shell' | 'full';

export interface BrowserRequirements {
  readonly variant: BrowserVariant;
  /** A dedicated browser process. */
  readonly exclusive: boolean;
  /** Extra switches; only for an exclusive browser. */
  readonly switches: readonly string[];
  /** A browser with the render's own scale, if that is above 1: an emulated scale does not cross processes, such as cross-site iframes. */
  readonly scaled?: boolean;
}

export interface PoolStatus {
  readonly browsers: number;
  readonly warm: number;
  readonly busy: number;
  readonly waiting: number;
  readonly capacity: number;
  readonly restarts: number;
  /** True while no browser can open a page. Before the first one starts it is false. */
  readonly degraded: boolean;
  /** The executables of running or last-run browsers, by path; the text differs if the file was replaced. */
  readonly started: ReadonlyMap<string, string>;
}
