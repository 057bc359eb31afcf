import type { Egress } from '../../egress/index.js';
import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { Tab } from '../pool/contract.js';
import type { DeviceProfile, Downloads } from './contract.js';
import type { EgressEntry } from '../../egress/connection-log.js';
import { createProfileControl } from '../emulation/device-profile.js';
import { openDownloads } from './downloads.js';
import { applyUserAgentWithoutSession } from '../emulation/user-agent-profile.js';
import type { BrowserProcess } from '../process/browser-process.js';
import { createTabs, type OwnedTab, type Tabs } from './tab.js';

/** A browser context with one page and its own proxy: created for one render, never reused. Further tabs share its cookies and cache. */
export interface PageContext {
  readonly tab: Tab;
  readonly entries: readonly EgressEntry[];
  /** False once its page has crashed or its browser has exited. */
  readonly alive: boolean;
  /** One more tab, with the profile of the first. Not configured by any plugin. */
  openTab(): Promise<Tab>;
  /** See `BrowserLease`. */
  acceptDownloads(): Promise<Downloads>;
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
  const { process, egress, profile: initial } = options;
  const { root } = process;
  let tabs: Tabs | undefined;
  let first: OwnedTab | undefined;
  const initialIdentity = createProfileControl(initial, process);
  const identity = () => (first?.profile ?? initialIdentity).identity;
  const proxy = await egress.open({ rewriteHeaders: (fields) => applyUserAgentWithoutSession(fields, identity(), process) });
  const undo = createUndoing(options);
  undo.add(async () => proxy[Symbol.asyncDispose]());
  const close = once(async () => {
    tabs?.end(new PlatenError('internal', 'the page is closed'));
    await undo.run();
  });
  try {
    const { browserContextId } = await root.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: `http://127.0.0.1:${String(proxy.port)}`,
      proxyBypassList: '<-loopback>',
    });
    const own = (tabs = createTabs({ ...options, browserContextId, entries: proxy.entries }));
    const stopRouting = process.router.route(browserContextId, own.adopt);
    undo.add(() => disposeContext(root, browserContextId).finally(stopRouting));
    const [tab] = await Promise.all([own.open(initial), root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })]);
    first = tab;
    return {
      tab,
      entries: proxy.entries,
      openTab: () => own.open(tab.profile.current),
      async acceptDownloads() {
        const downloads = await openDownloads({ process, browserContextId, targets: tab.tree });
        undo.addLast(() => downloads.remove());
        return downloads;
      },
      get alive() {
        return tab.alive;
      },
      adapt(wanted) {
        tab.tree.await(tab.profile.change(wanted, tab.tree));
      },
      end: own.end,
      interrupt: own.interrupt,
      close,
    };
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

function once(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= run());
}
