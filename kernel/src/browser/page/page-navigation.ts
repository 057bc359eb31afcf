import { setTimeout } from 'node:timers/promises';
import type { EgressEntry } from '../../egress/connection-log.js';
import type { EventPayload, ProtocolSession } from '../protocol/contract.js';
import type { TargetResponse } from './contract.js';
import type { ClosableLifecycle } from './lifecycle.js';
import type { PlatenError } from '../../errors.js';
import {
  isCancelled,
  isEmptyErrorAnswer,
  isNotYetActive,
  mayBeRedirect,
  navigationError,
  type NavigationFailure,
} from '../protocol/network-errors.js';

export interface NavigationParts {
  readonly session: ProtocolSession;
  readonly frameId: string;
  readonly lifecycle: ClosableLifecycle;
  /** Resolves once all prerequisites of a navigation are complete. */
  readonly settled: () => Promise<void>;
  readonly entries: readonly EgressEntry[];
  /** Why plugins refused URLs. */
  readonly refusals: ReadonlyMap<string, PlatenError>;
}

export interface PageNavigation {
  goto(url: string): Promise<TargetResponse | undefined>;
  reload(): Promise<TargetResponse | undefined>;
  /** The response of the current main document; undefined for one that was not loaded over HTTP. */
  currentResponse(): TargetResponse | undefined;
}

/** State of a main document that is being loaded. */
interface Coming {
  url: string;
  /** Redirect target of its last response, as sent: Chromium does not report redirects that it does not follow. */
  location?: string;
  /** Resolves when its response headers were reported, which may be after its end. */
  readonly headed?: Promise<void>;
  response?: TargetResponse;
  /** No reader can find the end of its body. */
  endless?: boolean;
  errorText?: string;
  /** Of the certificate of its server. */
  certificateError?: string;
}

type Failure = Omit<NavigationFailure, 'entries' | 'isDownload'> & Partial<Pick<NavigationFailure, 'isDownload'>>;

/** No timeout: the target may be slow, and the render's own deadline ends every call. */
const UNBOUNDED = { timeoutMs: Infinity };
/** How long the browser process may take to learn of a document that the renderer has committed. */
const COMMIT_MS = 100;

/** Chromium's error for a response that it cannot parse as HTTP. */
const MALFORMED = 'net::ERR_INVALID_HTTP_RESPONSE';

/** How long the response headers may arrive after the event of its end. */
const HEADERS_MS = 500;

/** Sends a call again if the browser refused it because it did not know the new document yet. */
export async function onceActive<T>(call: () => Promise<T>): Promise<T> {
  return call().catch(async (error: unknown) => {
    if (!isNotYetActive(error)) throw error;
    await setTimeout(COMMIT_MS);
    return call();
  });
}

/** Loads main documents and tracks the page's own navigations. Responses come from the Network domain. */
export function createPageNavigation({ session, frameId, lifecycle, settled, entries, refusals }: NavigationParts): PageNavigation {
  const documents = trackDocuments(session, frameId);
  const errorOf = (failure: Failure) => refusals.get(failure.url) ?? navigationError({ isDownload: false, ...failure, entries });
  loseWithDocument({ lifecycle, errorOf }, documents);

  const outcome = async (document: Coming, errorText: string | undefined): Promise<TargetResponse | undefined> => {
    if (errorText === undefined) return document.response;
    if (!document.response || !isEmptyErrorAnswer(errorText)) throw errorOf({ ...document, errorText });
    // The site's response is an empty page, not Chromium's error page.
    await session.send('Page.setDocumentContent', { frameId, html: '' });
    return document.response;
  };

  const downloadError = ({ url, endless, response }: Coming, errorText = 'net::ERR_ABORTED') =>
    endless === true ? errorOf({ url, errorText: MALFORMED }) : errorOf({ url, errorText, isDownload: true, status: response?.status });

  return {
    currentResponse: trackResponse(lifecycle, documents),
    async goto(url) {
      await settled();
      const navigation = lifecycle.begin();
      const { loaderId, errorText, isDownload } = await session.send('Page.navigate', { url }, UNBOUNDED);
      // Without a loader it was a jump within the document.
      const document = (loaderId === undefined ? undefined : documents.get(loaderId)) ?? { url, headed: Promise.resolve() };
      const committed = errorText === undefined ? loaderId !== undefined && isDownload !== true : isEmptyErrorAnswer(errorText);
      if (committed) await navigation.committed;
      else navigation.cancel();
      if (errorText !== undefined && mayBeRedirect(errorText)) await Promise.race([document.headed, setTimeout(HEADERS_MS)]);
      // If the renderer exits, the navigation fails, too, and reports only an abort.
      if (lifecycle.ended) throw lifecycle.ended;
      if (isDownload === true) throw downloadError(document, errorText);
      return outcome(document, explainAbort(document, errorText));
    },
    async reload() {
      await settled();
      const navigation = lifecycle.begin();
      const failed = documents.nextFailure();
      await onceActive(() => session.send('Page.reload', undefined, UNBOUNDED));
      const frame = await Promise.race([navigation.committed, failed]);
      if (frame === undefined) navigation.cancel();
      const document = documents.latest() ?? { url: '' };
      const failure = frame === undefined || frame.unreachableUrl !== undefined;
      return outcome(document, failure ? (document.errorText ?? 'net::ERR_FAILED') : undefined);
    },
  };
}

/** The error of a certificate instead of the abort as which it is reported where a plugin decides about certificates. */
function explainAbort({ certificateError, response }: Coming, errorText: string | undefined): string | undefined {
  return errorText !== undefined && isCancelled(errorText) && response === undefined ? (certificateError ?? errorText) : errorText;
}

/** Returns the response of the main document that was committed last. */
function trackResponse(lifecycle: ClosableLifecycle, documents: Documents): () => TargetResponse | undefined {
  let current = '';
  lifecycle.onCommit(({ loaderId }) => {
    current = loaderId;
  });
  return () => documents.get(current)?.response;
}

/** Ends waits for a main document that fails after its commit, or that is Chromium's error page. */
function loseWithDocument(
  { lifecycle, errorOf }: Pick<NavigationParts, 'lifecycle'> & { readonly errorOf: (failure: Failure) => PlatenError },
  documents: Documents,
): void {
  let shown: string | undefined;
  const lose = ({ errorText = 'net::ERR_FAILED', ...document }: Coming): void => {
    lifecycle.lose(errorOf({ ...document, errorText }));
  };
  /** An interrupted body is never parsed to its end: neither DOMContentLoaded nor load would fire. */
  const loseBroken = (document: Coming): void => {
    const { errorText } = document;
    if (errorText !== undefined && !isCancelled(errorText) && !isEmptyErrorAnswer(errorText)) lose(document);
  };
  lifecycle.onCommit(({ loaderId, unreachableUrl }) => {
    shown = loaderId;
    const document = documents.get(loaderId);
    // An error status without a body is also shown as unreachable, but is a response.
    if (unreachableUrl !== undefined && !document?.response) lose(document ?? { url: unreachableUrl });
    else if (document) loseBroken(document.endless === true ? { ...document, errorText: MALFORMED } : document);
  });
  documents.onFailure((loaderId, document) => {
    if (loaderId === shown) loseBroken(document);
  });
}

interface Documents {
  get(loaderId: string): Coming | undefined;
  latest(): Coming | undefined;
  /** Runs the listener when a main document's request, or the rest of its body, fails. */
  onFailure(listener: (loaderId: string, document: Coming) => void): void;
  /** Resolves when a main document's request fails, without one to show for it. */
  nextFailure(): Promise<undefined>;
}

/** Tracks the requests of main documents; `data:` and `about:` documents count as having no response. */
function trackDocuments(session: ProtocolSession, mainFrameId: string): Documents {
  const coming = new Map<string, Coming>();
  const heads = new Map<string, () => void>();
  let latest: Coming | undefined;
  const listeners: ((loaderId: string, document: Coming) => void)[] = [];
  session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, type, request }) => {
    if (type !== 'Document' || frameId !== mainFrameId || requestId !== loaderId) return;
    // Redirects have the same request id.
    const headed = new Promise<void>((resolve) => heads.set(loaderId, resolve));
    latest = { url: request.url, headed };
    coming.set(loaderId, latest);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode, headers }) => {
    const document = coming.get(requestId);
    if (!document) return;
    const location = Object.entries(headers).find(([name]) => /^location$/i.test(name))?.[1];
    if (location !== undefined && statusCode >= 300 && statusCode < 400) document.location = location;
    heads.get(requestId)?.();
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const document = coming.get(requestId);
    if (!document || !/^https?:/i.test(response.url)) return;
    document.response = { url: response.url, status: response.status };
    document.endless = isEndless(response);
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    const document = coming.get(requestId);
    if (!document) return;
    document.errorText = errorText;
    for (const listener of [...listeners]) listener(requestId, document);
  });
  session.on('Security.certificateError', ({ requestURL, errorType }) => {
    if (latest?.url === requestURL) latest.certificateError = `net::${errorType}`;
  });
  return {
    get: (loaderId) => coming.get(loaderId),
    latest: () => latest,
    onFailure: (listener) => void listeners.push(listener),
    nextFailure: () =>
      new Promise((resolve) => {
        listeners.push((_loaderId, { errorText = '' }) => {
          if (isCancelled(errorText)) resolve(undefined);
        });
      }),
  };
}

/**
 * An invalid Content-Length on a persistent connection is an unrecoverable error (RFC 9112, section 6.3), but Chromium waits for the
 * connection to close. If the server announces the close, the body is read up to it, as in any browser.
 */
function isEndless({ protocol, headers }: EventPayload<'Network.responseReceived'>['response']): boolean {
  const tokens = (wanted: string) =>
    Object.entries(headers).flatMap(([name, value]) =>
      name.toLowerCase() === wanted ? value.split(/[,\n]/).map((token) => token.trim()) : [],
    );
  if (protocol !== 'http/1.1' || tokens('transfer-encoding').length > 0) return false;
  const closes = tokens('connection').some((token) => token.toLowerCase() === 'close');
  return !closes && tokens('content-length').some((length) => !/^\d{1,18}$/.test(length));
}
