import type { EgressEntry, EventPayload, ProtocolSession, TargetResponse } from './contract.js';
import type { OwnedLifecycle } from './lifecycle.js';
import { isEmptyErrorAnswer, navigationError } from './network-errors.js';

export interface NavigationParts {
  readonly session: ProtocolSession;
  readonly frameId: string;
  readonly lifecycle: OwnedLifecycle;
  /** Resolves once everything that has to be there before a navigation is. */
  readonly settled: () => Promise<void>;
  readonly entries: readonly EgressEntry[];
}

export interface Navigator {
  goto(url: string): Promise<TargetResponse | undefined>;
  reload(): Promise<TargetResponse | undefined>;
}

/** What is known of a main document on its way. */
interface Coming {
  url: string;
  response?: TargetResponse;
  errorText?: string;
}

/** As long as the render lasts: the target may take its time, and the render's own deadline ends every call. */
const UNBOUNDED = { timeoutMs: Infinity };

/** Loads main documents. Their responses are those of the Network domain, which must be enabled. */
export function createNavigator({ session, frameId, lifecycle, settled, entries }: NavigationParts): Navigator {
  const documents = trackDocuments(session, frameId);

  const outcome = async (document: Coming, errorText: string | undefined): Promise<TargetResponse | undefined> => {
    if (errorText === undefined) return document.response;
    if (!document.response || !isEmptyErrorAnswer(errorText))
      throw navigationError({ url: document.url, errorText, isDownload: false, entries });
    // The site's answer is an empty page, not Chromium's words about it.
    await session.send('Page.setDocumentContent', { frameId, html: '' });
    return document.response;
  };

  return {
    async goto(url) {
      await settled();
      const navigation = lifecycle.begin();
      const { loaderId, errorText, isDownload } = await session.send('Page.navigate', { url }, UNBOUNDED);
      // Without a loader it was a jump within the document.
      const document = (loaderId === undefined ? undefined : documents.get(loaderId)) ?? { url };
      const committed = errorText === undefined ? loaderId !== undefined && isDownload !== true : isEmptyErrorAnswer(errorText);
      if (committed) await navigation.committed;
      else navigation.cancel();
      if (isDownload === true)
        throw navigationError({ url: document.url, errorText: errorText ?? 'net::ERR_ABORTED', isDownload, entries });
      return outcome(document, errorText);
    },
    async reload() {
      await settled();
      const navigation = lifecycle.begin();
      const failed = documents.nextFailure();
      await session.send('Page.reload', undefined, UNBOUNDED);
      const frame = await Promise.race([navigation.committed, failed]);
      if (frame === undefined) navigation.cancel();
      const document = documents.latest() ?? { url: '' };
      const failure = frame === undefined || frame.unreachableUrl !== undefined;
      return outcome(document, failure ? (document.errorText ?? 'net::ERR_FAILED') : undefined);
    },
  };
}

interface Documents {
  get(loaderId: string): Coming | undefined;
  latest(): Coming | undefined;
  /** Resolves when a main document's request fails, without one to show for it. */
  nextFailure(): Promise<undefined>;
}

/** Follows the requests of main documents; those of `data:` and `about:` count as having no response. */
function trackDocuments(session: ProtocolSession, mainFrameId: string): Documents {
  const coming = new Map<string, Coming>();
  let latest: Coming | undefined;
  let onFailure: () => void = () => undefined;
  session.on('Network.requestWillBeSent', ({ requestId, loaderId, frameId, type, request }) => {
    if (type !== 'Document' || frameId !== mainFrameId || requestId !== loaderId) return;
    // Redirects come with the same id.
    latest = { url: request.url };
    coming.set(loaderId, latest);
  });
  session.on('Network.responseReceived', ({ requestId, response }) => {
    const document = coming.get(requestId);
    if (document && /^https?:/i.test(response.url)) document.response = toResponse(response);
  });
  session.on('Network.loadingFailed', ({ requestId, errorText }) => {
    const document = coming.get(requestId);
    if (!document) return;
    document.errorText = errorText;
    if (errorText === 'net::ERR_ABORTED') onFailure();
  });
  return {
    get: (loaderId) => coming.get(loaderId),
    latest: () => latest,
    nextFailure: () =>
      new Promise((resolve) => {
        onFailure = () => {
          resolve(undefined);
        };
      }),
  };
}

function toResponse({ url, status, mimeType, headers }: EventPayload<'Network.responseReceived'>['response']): TargetResponse {
  return { url, status, mimeType, headers };
}
