import type { InterceptedRequest, Page } from '@platen/kernel';

/** Finds the document that makes a request, using the earlier requests for documents. */
export interface FrameRegistry {
  /** Whether the request is for a top-level document: the target or a popup. */
  isPage(request: InterceptedRequest): boolean;
  /** Records a document request for its frame. */
  coming(request: InterceptedRequest): void;
  /** URL of the document that makes the request. For a document request, URL of the embedding document. */
  sourceOf(request: InterceptedRequest): string;
  /** URL of the top-level document. */
  topOf(request: InterceptedRequest): string;
}

/** Deeper than real frames are nested. Ends the loop if frame parents form a cycle. */
const MAX_DEPTH = 50;

export function openFrameRegistry(page: Page, url: string): FrameRegistry {
  const documents = new Map([[page.mainFrameId, url]]);
  const parents = new Map<string, string>();
  /** Workers without a frame, by target. The script of a worker is its first request. */
  const scripts = new Map<string, string>();
  page.targets.configure((target) => {
    target.on('Page.frameAttached', ({ frameId, parentFrameId }) => parents.set(frameId, parentFrameId));
    return target.hasDocuments ? [target.send('Page.enable')] : [];
  });
  /** A frame without a URL (`about:blank`, `srcdoc`) uses the URL of its parent frame. */
  const documentOf = (frameId: string | undefined): string => {
    let at = frameId;
    for (let depth = 0; at !== undefined && depth < MAX_DEPTH; depth++) {
      const found = documents.get(at);
      if (found !== undefined) return found;
      at = parents.get(at);
    }
    return documents.get(page.mainFrameId) ?? url;
  };
  const topFrame = (frameId: string): string => {
    let at = frameId;
    for (let depth = 0; depth < MAX_DEPTH; depth++) {
      const parent = parents.get(at);
      if (parent === undefined) return at;
      at = parent;
    }
    return at;
  };
  const isWorker = ({ target }: InterceptedRequest): boolean => target.kind === 'service_worker' || target.kind === 'shared_worker';
  const isPage = ({ resourceType, frameId, target }: InterceptedRequest): boolean =>
    resourceType === 'Document' && target.kind === 'page' && frameId === target.targetId;
  const scriptOf = ({ target, url: asked }: InterceptedRequest): string => {
    const known = scripts.get(target.targetId);
    if (known !== undefined) return known;
    scripts.set(target.targetId, asked.href);
    return asked.href;
  };
  return {
    isPage,
    coming({ frameId, url: asked }) {
      documents.set(frameId, asked.href);
    },
    sourceOf(request) {
      if (isWorker(request)) return scriptOf(request);
      if (isPage(request)) return request.url.href;
      return documentOf(request.resourceType === 'Document' ? parents.get(request.frameId) : request.frameId);
    },
    topOf: (request) => (isPage(request) ? request.url.href : documentOf(topFrame(request.frameId))),
  };
}
