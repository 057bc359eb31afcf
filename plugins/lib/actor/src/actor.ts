import { limitSignal, untilAborted, withTimeout, type Page } from '@platen/kernel';
import type { RefTable } from '@platen/lib-view';
import { ActionError, type Action, type ActionLimit, type Actor, type ElementFacts, type Performed, type Tab } from './action.js';
import { type Attempt, startAttempt } from './attempt.js';
import { carryOut, factsOf, type PageAction } from './carry-out.js';
import { Clipboard } from './clipboard.js';
import { openElement, openFocused } from './element.js';
import { factsOfDialog, FileChoosers, HeldDialogs } from './dialogs.js';
import { clearSecrets } from './in-page/index.js';
import { NetworkActivity } from './network-activity.js';
import { waitForIdle } from './settle.js';
import { Tabs } from './tabs.js';

/** Milliseconds for the facts of an element. */
const DESCRIBE_MS = 5_000;
/** Milliseconds in which a tab closes. */
const CLOSE_MS = 2_000;

export interface ActorOptions {
  /** Names the elements: the table that snapshots of the page fill. */
  readonly refs: RefTable;
}

/** Acts on a page and its popups as a user would. Close it when it is no longer used. */
export function createActor(page: Page, { refs }: ActorOptions): Actor {
  const listeners: ((tab: Tab) => void)[] = [];
  const parts: Parts = {
    refs,
    clipboard: new Clipboard(),
    tabs: new Tabs(page, (tab) => {
      for (const listener of listeners) listener(tab);
    }),
    dialogs: new HeldDialogs(page),
    choosers: new FileChoosers(page),
    network: new NetworkActivity(page),
    ...{ unfinished: undefined, isTyped: false, hasSecret: false },
  };
  const { tabs, dialogs, choosers, network } = parts;
  return {
    get page() {
      return tabs.currentPage;
    },
    get tabs() {
      return tabs.all;
    },
    get dialog() {
      const { current } = dialogs;
      return current && { ...factsOfDialog(current), tab: tabs.idOf(current.target) };
    },
    get openedFileChooser() {
      return choosers.hasOpened;
    },
    describe: (ref) => describe(ref, parts),
    perform: (action, limit) => perform(action, limit, parts),
    settle: (signal) => settle(signal, parts),
    onDialog: (listener) => dialogs.onOpen(listener),
    onTab: (listener) => void listeners.push(listener),
    close() {
      for (const part of [tabs, choosers, network]) part.stop();
      dialogs.close();
    },
  };
}

interface Parts {
  readonly refs: RefTable;
  readonly clipboard: Clipboard;
  readonly tabs: Tabs;
  readonly dialogs: HeldDialogs;
  readonly choosers: FileChoosers;
  readonly network: NetworkActivity;
  /** The rest of an action that opened the held dialog: it ends after the answer. */
  unfinished: Promise<unknown> | undefined;
  /** The last action typed into a field that may suggest values. */
  isTyped: boolean;
  /** A secret was filled in. */
  hasSecret: boolean;
}

async function describe(ref: string | undefined, { tabs, refs }: Parts): Promise<ElementFacts> {
  const attempt = startAttempt(tabs.currentPage, { signal: new AbortController().signal, timeoutMs: DESCRIBE_MS });
  const element = await (ref === undefined ? openFocused(attempt) : openElement(ref, attempt, refs));
  if (element === undefined) throw new ActionError('the page has no document');
  return factsOf(element, refs);
}

async function perform(action: Action, limit: ActionLimit, parts: Parts): Promise<Performed> {
  const { tabs, dialogs, choosers } = parts;
  const startedAt = performance.now();
  limit.signal.throwIfAborted();
  // A dialog blocks the page.
  if (dialogs.current === undefined) await tabs.ready();
  assertPossible(action, parts);
  const { id, page, url: urlBefore } = tabs.current;
  const tab = dialogs.current === undefined ? (action.kind === 'tab' ? action.tab : id) : tabs.idOf(dialogs.current.target);
  choosers.reset();
  const attempt = startAttempt(page, limit);
  // Also where the action fails afterwards.
  parts.hasSecret ||= action.kind === 'fill' && action.secret !== undefined;
  const hasOpened = await runToDialog(action, attempt, { parts, limit });
  parts.isTyped = (action.kind === 'fill' || action.kind === 'type') && action.submit !== true && maySuggest(attempt.noted.element);
  const changes = await tabs.update();
  if (parts.hasSecret && tabs.current.id !== id && !isSameOrigin(tabs.current.url, urlBefore)) await forgetSecrets(page, limit);
  const { current } = dialogs;
  return {
    ...attempt.noted,
    ...{ startedAt, endedAt: performance.now(), tab, ...changes },
    ...(hasOpened && current !== undefined ? { dialog: factsOfDialog(current) } : {}),
    ...{ urlBefore, urlAfter: tabs.current.url },
  };
}

function isSameOrigin(one: string, other: string): boolean {
  return URL.canParse(one) && URL.canParse(other) && new URL(one).origin === new URL(other).origin;
}

/** Of a tab that another one of another origin has taken the place of: a document that is left empties its own (`noteSecret`). */
async function forgetSecrets(page: Page, { timeoutMs }: ActionLimit): Promise<void> {
  await page.inEveryFrame(({ evaluate }) => evaluate(clearSecrets), { timeoutMs }).catch(() => undefined);
}

/** A browser's own suggestions would cover the page's: `off`. */
function maySuggest(field: ElementFacts | undefined): boolean {
  return field !== undefined && (/^(?:combobox|searchbox)$/i.test(field.role) || field.autocomplete === 'off');
}

function assertPossible({ kind }: Action, { dialogs }: Parts): void {
  const { current } = dialogs;
  if (current !== undefined && kind !== 'dialog') throw new ActionError(`the page shows a dialog (${current.type}): answer it first`);
  if (current === undefined && kind === 'dialog') throw new ActionError('the page shows no dialog');
}

interface Running {
  readonly parts: Parts;
  readonly limit: ActionLimit;
}

/** Runs the action to its end, or until it opens a dialog. Returns whether it did: the page is blocked, and with it the action's calls. */
async function runToDialog(action: Action, attempt: Attempt, { parts, limit }: Running): Promise<boolean> {
  const { dialogs } = parts;
  let stop = (): void => undefined;
  const opened = new Promise<true>((resolve) => {
    stop = dialogs.onOpen(() => resolve(true));
  });
  using time = limitSignal(limit.signal, limit.timeoutMs);
  const work = run(action, attempt, parts);
  try {
    const hasOpened = await untilAborted(Promise.race([work.then(() => false), opened]), time.signal);
    if (!hasOpened) return false;
    if (action.kind !== 'dialog' && !attempt.hasBegun) throw new ActionError('the page opened a dialog before: answer it first');
    parts.unfinished = work.catch(() => undefined);
    return true;
  } catch (error) {
    const reason = time.isUp && !limit.signal.aborted ? attempt.late() : error;
    attempt.cancel(reason instanceof Error ? reason : attempt.late());
    work.catch(() => undefined);
    throw reason;
  } finally {
    stop();
  }
}

async function run(action: Action, attempt: Attempt, parts: Parts): Promise<void> {
  const { dialogs, tabs } = parts;
  if (action.kind === 'tab') return switchTab(action, tabs);
  if (action.kind !== 'dialog') return carryOutOrClose(action, attempt, parts);
  const { unfinished } = parts;
  parts.unfinished = undefined;
  await dialogs.answer(action);
  await unfinished;
}

/** A popup that closes itself does not respond to the input that it was closed by. */
async function carryOutOrClose(action: PageAction, attempt: Attempt, parts: Parts): Promise<void> {
  try {
    await carryOut(action, attempt, parts);
  } catch (error) {
    const { page, hasBegun } = attempt;
    if (!hasBegun || page.primary || parts.tabs.isOpen(page)) throw error;
  }
}

async function switchTab({ tab: id, close = false }: Extract<Action, { kind: 'tab' }>, tabs: Tabs): Promise<void> {
  const tab = tabs.all.find((one) => one.id === id);
  const ids = tabs.all.map((one) => one.id).join(', ');
  if (tab === undefined) throw new ActionError(`there is no tab ${id}; there are: ${ids}`);
  if (!close) return tabs.select(id);
  if (tab.page.primary) throw new ActionError(`${id} cannot be closed: it is the first tab`);
  const ended = new Promise<void>((resolve) => {
    tab.page.onEnd(() => resolve());
  });
  await tab.page.send('Page.close');
  await withTimeout(ended, CLOSE_MS);
}

async function settle(signal: AbortSignal, { tabs, dialogs, network, isTyped }: Parts): Promise<void> {
  if (dialogs.current !== undefined) return;
  const blocked = new AbortController();
  const stop = dialogs.onOpen(() => blocked.abort(new Error('a dialog opened')));
  try {
    await waitForIdle({ page: () => tabs.currentPage, network, isTyped, signal: AbortSignal.any([signal, blocked.signal]) });
  } catch (error) {
    if (!blocked.signal.aborted || signal.aborted) throw error;
  } finally {
    stop();
  }
  await tabs.update();
}
