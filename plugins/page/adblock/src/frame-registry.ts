import type { InterceptedRequest, Page } from '@platen/kernel';

/** Which document asks for something, by the requests for documents that came before. */
export interface FrameRegistry {
  /** Whether the request is for the document of a page: the target, a popup. */
  isPage(request: InterceptedRequest): boolean;
  /** Takes note of a document on its way into its frame. */
  coming(request: InterceptedRequest): void;
  /** URL of the document that asks; for a document, of the one that its frame is in. */
  sourceOf(request: InterceptedRequest): string;
  /** URL of the document at the top. */
  topOf(request: InterceptedRequest): string;
}

/** Deeper than frames are nested; a page that claims a circle is not followed. */
const MAX_DEPTH = 50;

export function openFrameRegistry(page: Page, url: string): FrameRegistry {
  const documents = new Map([[page.mainFrameId, url]]);
  const parents = new Map<string, string>();
  /** Workers that belong to no frame, by target: their script is what comes first. */
  const scripts = new Map<string, string>();
  page.targets.configure((target) => {
    target.on('Page.frameAttached', ({ frameId, parentFrameId }) => parents.set(frameId, parentFrameId));
    return target.kind === 'page' || target.kind === 'iframe' ? [target.send('Page.enable')] : [];
  });
  /** A frame without a document of its own (`about:blank`, `srcdoc`) has that of the frame around it. */
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
