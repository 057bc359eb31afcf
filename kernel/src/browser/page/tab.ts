import type { EgressEntry } from '../../egress/connection-log.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { ProfileControl } from '../emulation/device-profile.js';
import type { BrowserProcess } from '../process/browser-process.js';
import type { InterceptHub, TargetInitializer } from '../protocol/contract.js';
import { enableNetwork } from '../protocol/enable-network.js';
import type { ClosableTargetTree } from '../protocol/target-tree.js';
import { createInterceptHub } from './intercept.js';
import type { Page } from './contract.js';
import { createDataFrames } from './data-frames.js';
import { createDialogs } from './dialogs.js';
import type { OneDocument } from './one-document.js';
import { createPages } from './page.js';

/** One tab: a page with its frames, workers and popups. */
export interface Tab {
  readonly tree: ClosableTargetTree;
  readonly profile: ProfileControl;
  readonly page: Page;
  /** The page that is captured: the tab's own, or one of its popups. */
  readonly shown: Page;
  show(page: Page): void;
  readonly intercept: InterceptHub;
  /** False once its page has crashed or its browser has exited. */
  readonly alive: boolean;
  /** Reads the shown page, see `OneDocument`. */
  readonly onOneDocument: OneDocument['run'];
  /** Closes the tab before its browser context. Never rejects. */
  close(): Promise<void>;
}

export interface TabOptions {
  readonly process: BrowserProcess;
  readonly browserContextId: string;
  readonly entries: readonly EgressEntry[];
  readonly log: Logger;
  /** Frames are drawn on command, not by the clock. */
  readonly beginFrames: boolean;
}

export interface TabParts {
  /** Receives the targets of the tab as they appear. */
  readonly tree: ClosableTargetTree;
  readonly profile: ProfileControl;
  readonly onClose: () => void;
}

export async function openTab(options: TabOptions, { tree, profile, onClose }: TabParts): Promise<Tab> {
  const { process, log, entries } = options;
  const dialogs = createDialogs();
  for (const initializer of [configurePage, createDataFrames(), dialogs.configure, profile.configure, keepVisible(tree)])
    tree.configure(initializer);
  const targetId = await createTarget(options, profile);
  await tree.settled();
  if (tree.page?.target.targetId !== targetId)
    throw new PlatenError('browser_unavailable', 'the browser did not open a page', { retryable: true });
  const { target, session } = tree.page;
  const refusals = new Map<string, PlatenError>();
  const pages = createPages({ tree, dialogs, profile, entries, refusals });
  const page = pages.pageOf(target);
  let shown = page;
  return {
    ...{ tree, profile, page },
    get shown() {
      return shown;
    },
    show(other) {
      shown = other;
    },
    intercept: createInterceptHub({ targets: tree, identity: () => profile.identity, log, refusals }),
    get alive() {
      return session.ended === undefined && !process.gone;
    },
    onOneDocument: (steps) => pages.guardOf(shown).run(steps),
    async close() {
      onClose();
      tree.end(new PlatenError('internal', 'the page is closed'));
      // A browser that does not respond is found by its health check; the tab is closed with its context at the latest.
      await process.root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    },
  };
}

async function createTarget({ process, browserContextId, beginFrames }: TabOptions, { current }: ProfileControl): Promise<string> {
  const { targetId } = await process.root.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width: current.width,
    height: current.height,
    ...(beginFrames ? { enableBeginFrameControl: true } : {}),
  });
  return targetId;
}

/** Setup of every page, including popups. */
const configurePage: TargetInitializer = (target) => {
  if (target.kind !== 'page') return [];
  return [target.send('Page.enable'), ...(target.primary ? [enableNetwork(target)] : [])];
};

/** In full Chromium a popup hides its opener, and hidden pages draw no frames. Focus emulation keeps the page in the foreground. */
function keepVisible(tree: ClosableTargetTree): TargetInitializer {
  return ({ kind, primary }) => {
    if (kind === 'page' && !primary) tree.page?.target.send('Emulation.setFocusEmulationEnabled', { enabled: true }).catch(() => undefined);
    return [];
  };
}
