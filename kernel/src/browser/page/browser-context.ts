import type { EgressEntry } from '../../egress/connection-log.js';
import type { Egress } from '../../egress/index.js';
import { PlatenError } from '../../errors.js';
import type { DeviceProfile } from '../emulation/contract.js';
import { createProfileControl, type ProfileControl } from '../emulation/device-profile.js';
import { applyUserAgentWithoutSession } from '../emulation/user-agent-profile.js';
import type { BrowserProcess } from '../process/browser-process.js';
import type { RawSession } from '../protocol/raw-session.js';
import type { Attached } from '../protocol/target-router.js';
import { ClosableTargetTree } from '../protocol/target-tree.js';
import type { Downloads } from './contract.js';
import { openDownloads } from './downloads.js';
import { openTab, type Tab, type TabOptions } from './tab.js';

/** A browser context with its own proxy: created for one render, never reused. Its tabs share cookies and cache. */
export interface BrowserContext {
  /** Its first tab. */
  readonly tab: Tab;
  /** The connections of its proxy. */
  readonly entries: readonly EgressEntry[];
  /** One more tab, with the profile of the first. Not configured by any plugin. */
  openTab(): Promise<Tab>;
  /** Accepts downloads from now on, into a folder that is removed with the context. Until then the browser refuses them. */
  acceptDownloads(): Promise<Downloads>;
  /** Its connections go through this proxy from now on. */
  useProxy(proxy: string): void;
  /** Its connections are refused from now on. */
  goOffline(): void;
  /** Applies another profile to the first tab; its next navigation waits for that. */
  adapt(profile: DeviceProfile): void;
  /** Rejects all pending and future calls. */
  end(reason: Error): void;
  /** Rejects all pending calls; the pages stay open, so their recordings can still be read. */
  interrupt(reason: Error): void;
  /** Disposes the browser context with all its targets. Never throws: `stuck` is called if the browser does not respond. */
  close(): Promise<void>;
}

export interface BrowserContextOptions extends Pick<TabOptions, 'process' | 'log' | 'beginFrames'> {
  readonly egress: Egress;
  readonly profile: DeviceProfile;
  readonly stuck: (error: unknown) => void;
}

/** Disposing takes about 10 ms, whatever the pages do; this limit is for a machine under heavy load. */
const DISPOSE_MS = 5000;

export async function openBrowserContext(options: BrowserContextOptions): Promise<BrowserContext> {
  const { process, egress } = options;
  const { root } = process;
  const profile = createProfileControl(options.profile, process);
  const proxy = await egress.open({ rewriteHeaders: (fields) => applyUserAgentWithoutSession(fields, profile.identity, process) });
  const undoing = createUndoing(options);
  undoing.add(() => proxy[Symbol.asyncDispose]());
  try {
    const { browserContextId } = await root.send('Target.createBrowserContext', {
      disposeOnDetach: true,
      proxyServer: `http://127.0.0.1:${String(proxy.port)}`,
      proxyBypassList: '<-loopback>',
    });
    const tabs = createTabs({ ...options, browserContextId, entries: proxy.entries });
    const stopRouting = process.router.route(browserContextId, tabs.adopt);
    undoing.add(() => disposeContext(root, browserContextId).finally(stopRouting));
    undoing.add(() => {
      tabs.end(new PlatenError('internal', 'the page is closed'));
    });
    const [tab] = await Promise.all([tabs.open(profile), root.send('Browser.setDownloadBehavior', { behavior: 'deny', browserContextId })]);
    return {
      ...{ tab, entries: proxy.entries, end: tabs.end, interrupt: tabs.interrupt, close: undoing.run },
      ...{ useProxy: proxy.useProxy, goOffline: proxy.goOffline },
      openTab: () => tabs.open(createProfileControl(profile.current, process)),
      async acceptDownloads() {
        const downloads = await openDownloads({ process, browserContextId, targets: tab.tree });
        undoing.addLast(() => downloads.remove());
        return downloads;
      },
      adapt(wanted) {
        tab.tree.await(profile.change(wanted, tab.tree));
      },
    };
  } catch (error) {
    await undoing.run();
    throw error;
  }
}

/** The targets of a browser context, by tab. */
interface Tabs extends Pick<BrowserContext, 'end' | 'interrupt'> {
  /** Adds a target that appeared in the browser context. */
  adopt(raw: RawSession, attached: Attached): void;
  /** Opens a tab, one at a time: the target is reported before the response that names it. */
  open(profile: ProfileControl): Promise<Tab>;
}

function createTabs(options: TabOptions): Tabs {
  const trees = new Set<ClosableTargetTree>();
  let opening: ClosableTargetTree | undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** A popup belongs to the tab that opened it; a target without a known opener, such as a service worker, to the oldest one. */
  const ownerOf = ({ type, openerId }: Attached['targetInfo']): ClosableTargetTree | undefined => {
    if (type === 'page' && openerId === undefined && opening?.page === undefined) return opening ?? [...trees][0];
    const opener = [...trees].find((tree) => tree.all.some(({ targetId }) => targetId === openerId));
    return opener ?? [...trees][0];
  };
  const openNow = async (profile: ProfileControl): Promise<Tab> => {
    const { process, log } = options;
    const tree = (opening = new ClosableTargetTree({ router: process.router, sessions: process.sessions, log }));
    trees.add(tree);
    try {
      return await openTab(options, { tree, profile, onClose: () => trees.delete(tree) });
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
  add(step: () => unknown): void;
  /** Cleaned up after everything else, or immediately if the cleanup is already done. */
  addLast(step: () => unknown): void;
  /** Once, however often it is called. */
  run(): Promise<void>;
}

function createUndoing({ process, stuck }: Pick<BrowserContextOptions, 'process' | 'stuck'>): Undoing {
  const steps: (() => unknown)[] = [];
  let running: Promise<void> | undefined;
  const take = async (step: () => unknown): Promise<void> => {
    try {
      await step();
    } catch (error) {
      if (!process.gone) stuck(error);
    }
  };
  const takeAll = async (): Promise<void> => {
    for (const step of steps) await take(step);
  };
  return {
    add(step) {
      steps.unshift(step);
    },
    addLast(step) {
      if (running) void take(step);
      else steps.push(step);
    },
    run: () => (running ??= takeAll()),
  };
}
