import { PlatenError } from '../errors.js';
import type { EgressEntry, Lifecycle, Page, Rect, ScreenshotOptions, TargetSession } from './contract.js';
import type { ProfileControl } from './device-profile.js';
import { createIsolatedWorld, evaluateInMainWorld } from './isolated-world.js';
import { createLifecycle, type OwnedLifecycle } from './lifecycle.js';
import { createPageNavigation, onceActive } from './page-navigation.js';
import { createOneDocument, type OneDocument } from './one-document.js';
import type { OwnedSession } from './protocol-session.js';
import type { OwnedTargetTree } from './target-tree.js';

export interface PageParts {
  readonly target: TargetSession;
  readonly session: OwnedSession;
  readonly tree: OwnedTargetTree;
  readonly profile: ProfileControl;
  readonly entries: readonly EgressEntry[];
}

/** Tall pages take long to draw. */
const SCREENSHOT_MS = 120_000;

/** The page of a render, on the first attached target, and its single-document guard. */
export function createPage({ target, session, tree, profile, entries }: PageParts): {
  readonly page: Page;
  readonly oneDocument: OneDocument;
} {
  // The frame of a page has the id of its target, across all navigations.
  const mainFrameId = target.targetId;
  const lifecycle = createLifecycle(target, mainFrameId);
  const oneDocument = createOneDocument(target, lifecycle, mainFrameId);
  const asked: TargetSession = { ...target, send: oneDocument.send };
  const world = createIsolatedWorld(asked, mainFrameId);
  const settled = () => tree.settled();
  const navigation = createPageNavigation({ session: target, frameId: mainFrameId, lifecycle, settled, entries });
  lifecycle.onCommit(() => {
    world.reset();
  });
  session.onEnd((reason) => {
    lifecycle.end(reason);
  });

  const page: Page = {
    ...asked,
    targets: {
      configure: (initializer) => {
        tree.configure(initializer);
      },
      get all() {
        return tree.all;
      },
    },
    lifecycle: toContract(lifecycle),
    mainFrameId,
    get profile() {
      return profile.current;
    },
    goto: (url) => oneDocument.lead(() => navigation.goto(url)),
    reload: () => oneDocument.lead(() => navigation.reload()),
    currentResponse: navigation.currentResponse,
    setProfile: (changes) => profile.change(changes, tree),
    evaluate: (fn, ...args) => world.call(fn, args),
    evaluateInMainWorld: (source) => evaluateInMainWorld(asked, source),
    rect: (selector) => world.call(findRect, [selector]).then((found) => validRect(found, selector)),
    screenshot: (options) => captureScreenshot(asked, options),
    // A browser always has the scale of its renders.
    nativeScaleFactor: () => (profile.current.deviceScaleFactor === 1 ? Promise.resolve(1) : measureOwnScale(asked)),
  };
  return { page, oneDocument };
}

/** The plugins' view of the page. */
function toContract(lifecycle: OwnedLifecycle): Lifecycle {
  return {
    reached: lifecycle.reached,
    get failed() {
      return lifecycle.failed;
    },
  };
}

/** Runs in the page. */
function findRect(selector: string): Rect | null | 'invalid' {
  try {
    const element = document.querySelector(selector);
    if (!element) return null;
    const { x, y, width, height } = element.getBoundingClientRect();
    return { x: x + scrollX, y: y + scrollY, width, height };
  } catch {
    return 'invalid';
  }
}

function validRect(found: Rect | null | 'invalid', selector: string): Rect | null {
  if (found === 'invalid') throw new PlatenError('selector_not_found', `"${selector}" is not a valid CSS selector`);
  return found;
}

async function measureOwnScale(target: TargetSession): Promise<number> {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- the one length that the protocol gives in both units
  const { layoutViewport, cssLayoutViewport } = await target.send('Page.getLayoutMetrics');
  return layoutViewport.clientWidth / cssLayoutViewport.clientWidth;
}

async function captureScreenshot(
  target: TargetSession,
  { format, quality, clip, beyondViewport, fast }: ScreenshotOptions,
): Promise<Buffer> {
  const params = {
    format,
    ...(quality === undefined ? {} : { quality }),
    ...(clip === undefined ? {} : { clip }),
    ...(beyondViewport === undefined ? {} : { captureBeyondViewport: beyondViewport }),
    ...(fast === undefined ? {} : { optimizeForSpeed: fast }),
  };
  const { data } = await onceActive(() => target.send('Page.captureScreenshot', params, { timeoutMs: SCREENSHOT_MS }));
  // A screenshot beyond its format's limits (WebP: 16,383 pixels) is returned empty, without an error.
  if (data === '') throw new PlatenError('capture_too_large', `the page is too large for one ${format} picture`);
  return Buffer.from(data, 'base64');
}
