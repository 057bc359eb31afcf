import { PlatenError } from '../../errors.js';
import type { EgressEntry } from '../../egress/connection-log.js';
import type { IsolatedFrameWorld, Lifecycle, Page, Rect, ScreenshotOptions } from './contract.js';
import type { ProtocolSession, TargetSession, TargetTree } from '../protocol/contract.js';
import type { ProfileControl } from '../emulation/device-profile.js';
import type { Dialogs } from './dialogs.js';
import { createFrames, describeException, openIsolatedFrameWorld } from './frames.js';
import { createLifecycle, type ClosableLifecycle } from './lifecycle.js';
import { createPageNavigation, onceActive } from './page-navigation.js';
import { createOneDocument, documentReplaced, type OneDocument } from './one-document.js';
import type { ClosableTargetTree } from '../protocol/target-tree.js';
import { enableNetwork } from '../protocol/enable-network.js';
import { isContextLost } from '../protocol/network-errors.js';

/** Pages that replace their document again and again are not followed for ever. */
const MAX_DOCUMENTS = 5;

export interface PageParts {
  readonly tree: ClosableTargetTree;
  readonly dialogs: Dialogs;
  readonly profile: ProfileControl;
  readonly entries: readonly EgressEntry[];
  /** Why plugins refused URLs. */
  readonly refusals: ReadonlyMap<string, PlatenError>;
}

/** Tall pages take long to draw. */
const SCREENSHOT_MS = 120_000;

/** The page of a tab, and its popups as far as they are used as pages. */
export interface Pages {
  /** See `Page.pageOf`. */
  pageOf(target: TargetSession): Page;
  /** The single-document guard of a page. */
  guardOf(page: Page): OneDocument;
}

export function createPages(parts: PageParts): Pages {
  const byTarget = new Map<TargetSession, Page>();
  const guards = new WeakMap<Page, OneDocument>();
  const pages: Pages = {
    pageOf(target) {
      const known = byTarget.get(target);
      if (known !== undefined) return known;
      const lifecycle = createLifecycle(target, target.targetId);
      if (!target.primary) {
        lifecycle.joinLate();
        enableNetwork(target).catch(() => undefined);
      }
      const { page, oneDocument } = createPage({ ...parts, target, lifecycle }, pages);
      byTarget.set(target, page);
      guards.set(page, oneDocument);
      return page;
    },
    guardOf(page) {
      const guard = guards.get(page);
      if (guard === undefined) throw new TypeError('the page belongs to another tab');
      return guard;
    },
  };
  return pages;
}

interface OnePageParts extends PageParts {
  readonly target: TargetSession;
  readonly lifecycle: ClosableLifecycle;
}

function createPage(
  { target, lifecycle, tree, dialogs, profile, entries, refusals }: OnePageParts,
  { pageOf }: Pages,
): { readonly page: Page; readonly oneDocument: OneDocument } {
  // The frame of a page has the id of its target, across all navigations.
  const mainFrameId = target.targetId;
  const oneDocument = createOneDocument(target, lifecycle, mainFrameId);
  const asked: TargetSession = { ...target, send: oneDocument.send };
  const world = createIsolatedWorld(asked, mainFrameId);
  const navigation = createPageNavigation({
    ...{ session: target, frameId: mainFrameId, lifecycle, entries, refusals },
    settled: () => tree.settled(),
  });
  lifecycle.onCommit(() => {
    world.reset();
  });
  target.onEnd((reason) => {
    lifecycle.end(reason);
  });

  const frameTargets = (): readonly TargetSession[] => [page, ...tree.iframesOf(target)];
  const page: Page = {
    ...asked,
    targets: toTargets(tree),
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
    onDialog: dialogs.on,
    pageOf,
    frameTargets,
    ...createFrames(frameTargets),
    // A browser always has the scale of its renders.
    nativeScaleFactor: () => (profile.current.deviceScaleFactor === 1 ? Promise.resolve(1) : measureOwnScale(asked)),
  };
  return { page, oneDocument };
}

/** The plugins' view of the targets. */
function toTargets(tree: ClosableTargetTree): TargetTree {
  return {
    configure: (initializer) => {
      tree.configure(initializer);
    },
    get all() {
      return tree.all;
    },
  };
}

/** The plugins' view of the page. */
function toContract(lifecycle: ClosableLifecycle): Lifecycle {
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
  // oxlint-disable-next-line typescript/no-deprecated -- the one length that the protocol gives in both units
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
  if (data === '') throw new PlatenError('capture_too_large', `the page is too large for one ${format} image`);
  return Buffer.from(data, 'base64');
}

/** An isolated JavaScript world in the main frame, in its current document. */
interface IsolatedWorld {
  call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>>;
  /** The document and its world were replaced. */
  reset(): void;
}

function createIsolatedWorld(session: ProtocolSession, frameId: string): IsolatedWorld {
  let world: Promise<IsolatedFrameWorld> | undefined;

  const createWorld = () => {
    const creating = openIsolatedFrameWorld(session, frameId);
    // If creating the world failed, the next call tries again.
    creating.catch(() => {
      if (world === creating) world = undefined;
    });
    return creating;
  };
  const callOnce = async <A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> => {
    const { evaluate } = await (world ??= createWorld());
    return evaluate(fn, ...args);
  };

  return {
    async call<A extends readonly unknown[], R>(fn: (...args: A) => R, args: A): Promise<Awaited<R>> {
      for (let document = 1; ; document++) {
        const used = world;
        try {
          return await callOnce(fn, args);
        } catch (error) {
          if (!isContextLost(error)) throw error;
          if (document === MAX_DOCUMENTS) throw documentReplaced(error);
          if (world === used || used === undefined) world = undefined;
        }
      }
    },
    reset() {
      world = undefined;
    },
  };
}

/** Runs source text in the page's main world; throws `script_failed` with the script's exception. */
async function evaluateInMainWorld(session: ProtocolSession, source: string): Promise<unknown> {
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: source,
    returnByValue: true,
    awaitPromise: true,
    userGesture: true,
  });
  if (!exceptionDetails) return result.value as unknown;
  const [thrown = ''] = describeException(exceptionDetails).split('\n');
  throw new PlatenError('script_failed', `the script threw: ${thrown.slice(0, 500)}`);
}
