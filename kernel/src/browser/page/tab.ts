import type { CDPSession } from 'puppeteer-core';
import { PlatenError } from '../../errors.js';
import type { EgressEntry } from '../../egress/connection-log.js';
import type { Logger } from '../../logger.js';
import type { Tab } from '../pool/contract.js';
import { createProfileControl, type ProfileControl } from '../emulation/device-profile.js';
import type { BrowserProcess } from '../process/browser-process.js';
import type { TargetInitializer } from '../protocol/contract.js';
import { enableNetwork } from '../protocol/enable-network.js';
import { createInterceptHub } from '../protocol/intercept.js';
import type { Attached } from '../protocol/target-router.js';
import { OwnedTargetTree } from '../protocol/target-tree.js';
import type { DeviceProfile } from './contract.js';
import { createDialogs, type Dialogs } from './dialogs.js';
import { createPages } from './page.js';

/** A tab with its owner's controls. */
export interface OwnedTab extends Tab {
  readonly tree: OwnedTargetTree;
  readonly profile: ProfileControl;
  /** False once its page has crashed or its browser has exited. */
  readonly alive: boolean;
}

/** The tabs of one browser context: they share its cookies and its cache. */
export interface Tabs {
  /** Adds a target that appeared in the browser context. */
  adopt(raw: CDPSession, attached: Attached): void;
  /** Opens a tab, one at a time: the target is reported before the response that names it. */
  open(profile: DeviceProfile): Promise<OwnedTab>;
  /** Rejects all pending and future calls. */
  end(reason: Error): void;
  /** Rejects all pending calls. */
  interrupt(reason: Error): void;
}

export interface TabOptions {
  readonly process: BrowserProcess;
  readonly browserContextId: string;
  readonly entries: readonly EgressEntry[];
  readonly log: Logger;
  /** Frames are drawn on command, not by the clock. */
  readonly beginFrames: boolean;
}

export function createTabs(options: TabOptions): Tabs {
  const trees = new Set<OwnedTargetTree>();
  let opening: OwnedTargetTree | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** A popup belongs to the tab that opened it; a target without a known opener, such as a service worker, to the oldest one. */
  const ownerOf = ({ type, openerId }: Attached['targetInfo']): OwnedTargetTree | undefined => {
    if (type === 'page' && openerId === undefined && opening?.page === undefined) return opening ?? [...trees][0];
    const opener = [...trees].find((tree) => tree.all.some(({ targetId }) => targetId === openerId));
    return opener ?? [...trees][0];
  };
  const openNow = async (profile: DeviceProfile): Promise<OwnedTab> => {
    const { process, log } = options;
    const control = createProfileControl(profile, process);
    const tree = new OwnedTargetTree({ router: process.router, sessions: process.sessions, log });
    const dialogs = createDialogs();
    for (const initializer of [configurePage, dialogs.configure, control.configure, keepVisible(tree)]) tree.configure(initializer);
    opening = tree;
    trees.add(tree);
    try {
      const targetId = await createTarget(options, profile);
      await tree.settled();
      return assembleTab({ ...options, tree, dialogs, profile: control, targetId, closed: () => trees.delete(tree) });
    } catch (error) {
      trees.delete(tree);
      tree.end(new PlatenError('internal', 'the page is closed'));
      throw error;
    } finally {
      opening = undefined;
    }
  };
  return {
    adopt(raw, attached) {
      ownerOf(attached.targetInfo)?.adopt(raw, attached);
    },
    open(profile) {
      const opened = last.then(() => openNow(profile));
      last = opened.catch(() => undefined);
      return opened;
    },
    end(reason) {
      for (const tree of trees) tree.end(reason);
    },
    interrupt(reason) {
      for (const tree of trees) tree.interrupt(reason);
    },
  };
}

async function createTarget({ process, browserContextId, beginFrames }: TabOptions, { width, height }: DeviceProfile): Promise<string> {
  const { targetId } = await process.root.send('Target.createTarget', {
    url: 'about:blank',
    browserContextId,
    width,
    height,
    ...(beginFrames ? { enableBeginFrameControl: true } : {}),
  });
  return targetId;
}

interface TabParts extends TabOptions {
  readonly tree: OwnedTargetTree;
  readonly dialogs: Dialogs;
  readonly profile: ProfileControl;
  readonly targetId: string;
  readonly closed: () => void;
}

function assembleTab({ tree, dialogs, profile, targetId, process, log, entries, closed }: TabParts): OwnedTab {
  if (tree.page?.target.targetId !== targetId)
    throw new PlatenError('browser_unavailable', 'the browser did not open a page', { retryable: true });
  const { target, session } = tree.page;
  const pages = createPages({ tree, dialogs, profile, entries });
  const page = pages.pageOf(target);
  let shown = page;
  return {
    ...{ tree, profile, page },
    onOneDocument: (steps) => pages.guardOf(shown).run(steps),
    show(other) {
      shown = other;
    },
    intercept: createInterceptHub({ targets: tree, identity: () => profile.identity, log }),
    get alive() {
      return session.ended === undefined && !process.gone;
    },
    async close() {
      closed();
      tree.end(new PlatenError('internal', 'the page is closed'));
      // A browser that does not respond is found by its health check; the tab is closed with its context at the latest.
      await process.root.send('Target.closeTarget', { targetId }).catch(() => undefined);
    },
  };
}

/** Setup of every page, including popups. */
const configurePage: TargetInitializer = (target) => {
  if (target.kind !== 'page') return [];
  return [target.send('Page.enable'), ...(target.primary ? [enableNetwork(target)] : [])];
};

/** In full Chromium a popup hides its opener, and hidden pages draw no frames. Focus emulation keeps the page in the foreground. */
function keepVisible(tree: OwnedTargetTree): TargetInitializer {
  return ({ kind, primary }) => {
    if (kind === 'page' && !primary) tree.page?.target.send('Emulation.setFocusEmulationEnabled', { enabled: true }).catch(() => undefined);
    return [];
  };
}
