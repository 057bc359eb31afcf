import type { FileHandle } from 'node:fs/promises';
import type { DeviceProfile } from '../emulation/contract.js';
import type { ProtocolSession, TargetSession, TargetTree } from '../protocol/contract.js';

export interface Rect {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
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

/** A JavaScript dialog that waits for its answer. Until then the page's scripts, and input events that opened it, are blocked. */
export interface Dialog {
  readonly target: TargetSession;
  readonly type: 'alert' | 'confirm' | 'prompt';
  readonly message: string;
  readonly defaultPrompt: string;
  /** `promptText`: of a prompt. Like `dismiss`, never rejects: the dialog may be gone with its page. */
  accept(promptText?: string): Promise<void>;
  dismiss(): Promise<void>;
}

/** A frame of a page, in whichever process it is. */
export interface PageFrame {
  readonly id: string;
  /** Undefined for the main frame. */
  readonly parentId: string | undefined;
  /** With its fragment. */
  readonly url: string;
  /** The target that it is in: the page, or a cross-site iframe. */
  readonly session: TargetSession;
}

/**
 * An isolated JavaScript world in one frame, shared by all callers. It shares the document, but not the globals, with the page's scripts.
 */
export interface IsolatedFrameWorld {
  readonly session: Pick<ProtocolSession, 'send'>;
  readonly contextId: number;
  /** Like `page.evaluate`, but only in this document. */
  readonly evaluate: Page['evaluate'];
  /** Calls the source text of a function. Resolves with its result, by value. */
  callSource(source: string, args: readonly unknown[], timeoutMs?: number): Promise<unknown>;
}

export interface IsolatedFrameWorldOptions {
  /** Timeout for a response of the frame, which may hang. */
  readonly timeoutMs?: number;
  /** Timeout for functions that may take longer. */
  readonly evaluateMs?: number;
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
  /**
   * The targets that its frames are in: the page itself, then its cross-site iframes, parents first. Popups, and the frames in them, are
   * pages of their own.
   */
  frameTargets(): readonly TargetSession[];
  /** All its frames, the main frame first. Frames whose process does not respond within the timeout are missing. */
  frames(timeoutMs?: number): Promise<readonly PageFrame[]>;
  /** Runs a function for each of its frames, at the same time. Frames that disappear meanwhile, or for which it rejects, have no result. */
  inEveryFrame<T>(
    run: (world: IsolatedFrameWorld, frame: PageFrame) => Promise<T>,
    options?: IsolatedFrameWorldOptions,
  ): Promise<readonly T[]>;
  /** Runs source text in the page's main world. */
  evaluateInMainWorld(source: string): Promise<unknown>;
  /** The first match's bounding rectangle in CSS pixels of the document; null if nothing matches. */
  rect(selector: string): Promise<Rect | null>;
  screenshot(options: ScreenshotOptions): Promise<Buffer>;
  /**
   * Listens for dialogs of the page and its popups, until the returned function is called. The listener answers each; without one, the
   * kernel cancels them.
   */
  onDialog(listener: (dialog: Dialog) => void): () => void;
  /** A popup, one of `targets` with the kind `page`, as a page. The same object for each call. */
  pageOf(target: TargetSession): Page;
  /**
   * Device pixels of a CSS pixel by which the browser lays out and snaps boxes, and snapshots of the protocol count: its own scale. An
   * emulated `deviceScaleFactor` enlarges only the painted output.
   */
  nativeScaleFactor(): Promise<number>;
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
