import type { DialogFacts } from '@platen/lib-actor';
import type { Actor } from '@platen/lib-actor';
import type { ActionEvent, ActionOutcome, ModelAction, NavigationObserver } from '@platen/plugin-navigate/keys';
import { findTarget } from './find-target.js';
import type { Use } from './list-locators.js';
import type { Target } from './script.js';

/** A tab at one moment. */
export interface TabState {
  readonly url: string;
  /** Documents that were loaded since its first action. */
  readonly documents: number;
}

/** What was done, and what the page did until the next action. */
export interface RecordedAction {
  readonly action: ModelAction;
  /** The tab acted on. */
  readonly tab: string;
  /** By ref. A ref is missing if its element could not be found. */
  readonly targets: ReadonlyMap<string, Target>;
  readonly written: string | undefined;
  readonly point: readonly [number, number] | undefined;
  readonly openedFileChooser: boolean;
  readonly dialog: DialogFacts | undefined;
  readonly before: TabState;
  after: TabState;
  readonly opened: string[];
  hasClosedTab: boolean;
}

/** Records the actions of a navigation that were carried out. */
export interface ActionRecorder extends NavigationObserver {
  /** In their order. What happened before the first one belongs to `start`. */
  readonly actions: readonly RecordedAction[];
  readonly start: Pick<RecordedAction, 'opened'>;
  /** The tab that is current, and its URL. */
  readonly end: { readonly tab: string; readonly url: string };
}

interface Pending {
  readonly tab: string;
  readonly before: TabState;
  readonly targets: ReadonlyMap<string, Target>;
}

export function createRecorder(signal: AbortSignal): ActionRecorder {
  return new Recorder(signal);
}

class Recorder implements ActionRecorder {
  readonly actions: RecordedAction[] = [];
  readonly start = { opened: [] as string[] };
  end = { tab: 't1', url: '' };
  readonly #signal: AbortSignal;
  /** Number of documents by tab. */
  readonly #documents = new Map<string, number>();
  #pending: Pending | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async before({ action, actor, refs }: ActionEvent): Promise<void> {
    this.#update(actor);
    const tab = actor.dialog?.tab ?? this.end.tab;
    const targets = new Map<string, Target>();
    this.#pending = { tab, targets, before: this.#stateOf(tab, actor) };
    if (actor.dialog !== undefined) return;
    for (const ref of refsOf(action)) {
      const target = await findTarget(ref, { actor, refs, use: useOf(action), signal: this.#signal }).catch(() => undefined);
      if (target !== undefined) targets.set(ref, target);
    }
  }

  after({ action, actor, performed, failure, written }: ActionOutcome): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending !== undefined && performed !== undefined && failure === undefined) {
      const { point, dialog, openedFileChooser = false } = performed;
      this.actions.push({
        ...{ action, ...pending, written, dialog, openedFileChooser },
        point: point === undefined ? undefined : [Math.round(point.x), Math.round(point.y)],
        ...{ after: pending.before, opened: [], hasClosedTab: false },
      });
    }
    this.#update(actor);
  }

  /** The page may have gone on since: the newest action is the cause. */
  #update(actor: Actor): void {
    const { tabs } = actor;
    const last = this.actions.at(-1);
    for (const { id, page } of tabs) {
      if (this.#documents.has(id)) continue;
      if (id !== 't1') (last ?? this.start).opened.push(id);
      this.#documents.set(id, 0);
      page.on('Page.frameNavigated', ({ frame: { parentId } }) => {
        if (parentId === undefined) this.#documents.set(id, (this.#documents.get(id) ?? 0) + 1);
      });
    }
    const current = tabs.find(({ isCurrent }) => isCurrent);
    if (current !== undefined) this.end = { tab: current.id, url: current.url };
    if (last === undefined) return;
    last.after = this.#stateOf(last.tab, actor);
    last.hasClosedTab = tabs.every(({ id }) => id !== last.tab);
  }

  #stateOf(tab: string, { tabs }: Actor): TabState {
    return { url: tabs.find(({ id }) => id === tab)?.url ?? '', documents: this.#documents.get(tab) ?? 0 };
  }
}

function refsOf(action: ModelAction): readonly string[] {
  if (action.kind === 'drag') return [action.from, action.to];
  return 'ref' in action && typeof action.ref === 'string' ? [action.ref] : [];
}

function useOf({ kind }: ModelAction): Use {
  return kind === 'fill' || kind === 'select' || kind === 'check' || kind === 'upload' ? kind : 'other';
}
