import type { Egress } from '../../egress/index.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { BrowserLease } from '../pool/contract.js';
import type { TargetInitializer, InterceptHub } from '../protocol/contract.js';
import type { DeviceProfile, Downloads, Page } from './contract.js';
import type { EgressEntry } from '../../egress/connection-log.js';
import { createProfileControl, type ProfileControl } from '../emulation/device-profile.js';
import { openDownloads } from './downloads.js';
import { enableNetwork } from '../protocol/enable-network.js';
import { applyUserAgentWithoutSession } from '../emulation/user-agent-profile.js';
import { createInterceptHub } from '../protocol/intercept.js';
import { createPage } from './page.js';
import type { BrowserProcess } from '../process/browser-process.js';
import { OwnedTargetTree } from '../protocol/target-tree.js';

/** A browser context with one page and its own proxy: created for one render, never reused. */
export interface PageContext {
  readonly page: Page;
  readonly intercept: InterceptHub;
  readonly entries: readonly EgressEntry[];
  /** False once its page has crashed or its browser has exited. */
  readonly alive: boolean;
  /** See `BrowserLease`. */
  acceptDownloads(): Promise<Downloads>;
  /** See `BrowserLease`. */
  readonly onOneDocument: BrowserLease['onOneDocument'];
  /** Applies another profile to the page; its next navigation waits for that. */
  adapt(profile: DeviceProfile): void;
  /** Rejects all pending and future calls. */
  end(reason: Error): void;
  /** Rejects all pending calls; the page stays open, so its recordings can still be read. */
  interrupt(reason: Error): void;
  /** Disposes the browser context with all its targets. Never throws: `stuck` is called if the browser does not respond. */
  close(): Promise<void>;
}

export interface PageContextOptions {
  readonly process: BrowserProcess;
  readonly egress: Egress;
  readonly log: Logger;
  readonly profile: DeviceProfile;
  /** Frames are drawn on command, not by the clock. */
  readonly beginFrames: boolean;
  readonly stuck: (error: unknown) => void;
}

/** Disposing takes about 10 ms, whatever the pages do; this limit is for a machine under heavy load. */
const DISPOSE_MS = 5000;

export async function openPageContext(options: PageContextOptions): Promise<PageContext> {
  const { process, egress, log, profile: initial } = options;
  const { root } = process;
  const profile = createProfileControl(initial, process);
  const proxy = await egress.open({ rewriteHeaders: (fields) => applyUserAgentWithoutSession(fields, profile.identity, process) });
  const tree = new OwnedTargetTree({ router: process.router, sessions: process.sessions, log });
  const undo = createUndoing(options);
  undo.add(async () => {
    await proxy[Symbol.asyncDispose]();
  });
  const close = once(async () => {
    tree.end(new PlatenError('internal', 'the page is closed'));
    await undo.run();
  });
  try {
    tree.configure(configurePage);
    tree.configure(profile.configure);
    tree.configure(keepVisible(tree));
    const { browserContextId } = await root.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: `http://127.0.0.1:${String(proxy.port)}`,
      proxyBypassList: '<-loopback>',
    });
    const stopRouting = process.router.route(browserContextId, (raw, attached) => {
      tree.adopt(raw, attached);
    });
    undo.add(() => disposeContext(root, browserContextId).finally(stopRouting));
    const { width, height } = initial;
    await Promise.all([
      root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId }),
      root.send('Target.createTarget', {
        url: 'about:blank',
        browserContextId,
        width,
        height,
        ...(options.beginFrames ? { enableBeginFrameControl: true } : {}),
      }),
    ]);
    await tree.settled();
    const acceptDownloads = async (): Promise<Downloads> => {
      const downloads = await openDownloads({ process, browserContextId, targets: tree });
      undo.addLast(() => downloads.remove());
      return downloads;
    };
    return assemble({ tree, profile, process, log, entries: proxy.entries, acceptDownloads, close });
  } catch (error) {
    await close();
    throw error;
  }
}

/** A closing browser disposes its contexts itself, and may still respond: nothing is left to do. */
async function disposeContext(root: BrowserProcess['root'], browserContextId: string): Promise<void> {
  try {
    await root.send('Target.disposeBrowserContext', { browserContextId }, { timeoutMs: DISPOSE_MS });
  } catch (error) {
    if (!(error instanceof Error && error.message.includes('Failed to find context'))) throw error;
  }
}

interface Undoing {
  /** Undone before all that was added so far. */
  add(step: () => Promise<unknown>): void;
  /** Cleaned up after everything else, or immediately if the cleanup is already done. */
  addLast(step: () => Promise<unknown>): void;
  run(): Promise<void>;
}

function createUndoing({ process, stuck }: Pick<PageContextOptions, 'process' | 'stuck'>): Undoing {
  const steps: (() => Promise<unknown>)[] = [];
  let running = false;
  const take = async (step: () => Promise<unknown>): Promise<void> => {
    await step().catch((error: unknown) => {
      if (!process.gone) stuck(error);
    });
  };
  return {
    add(step) {
      steps.unshift(step);
    },
    addLast(step) {
      if (running) void take(step);
      else steps.push(step);
    },
    async run() {
      running = true;
      for (const step of steps) await take(step);
    },
  };
}

interface Parts {
  readonly tree: OwnedTargetTree;
  readonly profile: ProfileControl;
  readonly process: BrowserProcess;
  readonly log: Logger;
  readonly entries: readonly EgressEntry[];
  readonly acceptDownloads: () => Promise<Downloads>;
  readonly close: () => Promise<void>;
}

function assemble({ tree, profile, process, log, entries, acceptDownloads, close }: Parts): PageContext {
  // The attachment event arrives before the response to the creation.
  if (!tree.page) throw new PlatenError('browser_unavailable', 'the browser did not open a page', { retryable: true });
  const { target, session } = tree.page;
  const { page, oneDocument } = createPage({ target, session, tree, profile, entries });
  return {
    page,
    onOneDocument: oneDocument.run,
    intercept: createInterceptHub({ targets: tree, identity: () => profile.identity, log }),
    entries,
    acceptDownloads,
    get alive() {
      return session.ended === undefined && !process.gone;
    },
    adapt(wanted) {
      tree.await(profile.change(wanted, tree));
    },
    end: (reason) => {
      tree.end(reason);
    },
    interrupt: (reason) => {
      tree.interrupt(reason);
    },
    close,
  };
}

/** Setup of every page, including popups: dialogs are closed, since there is no user to answer them. */
const configurePage: TargetInitializer = (target) => {
  if (target.kind !== 'page') return [];
  target.on('Page.javascriptDialogOpening', ({ type }) => {
    // Leaving a page is accepted; all other dialogs are canceled.
    target.send('Page.handleJavaScriptDialog', { accept: type === 'beforeunload' }).catch(() => undefined);
  });
  return [target.send('Page.enable'), ...(target.primary ? [enableNetwork(target)] : [])];
};

/** In full Chromium a popup hides its opener, and hidden pages draw no frames. Focus emulation keeps the page in the foreground. */
function keepVisible(tree: OwnedTargetTree): TargetInitializer {
  return ({ kind, primary }) => {
    if (kind === 'page' && !primary) tree.page?.target.send('Emulation.setFocusEmulationEnabled', { enabled: true }).catch(() => undefined);
    return [];
  };
}

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
