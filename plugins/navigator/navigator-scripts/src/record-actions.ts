import type { ActionEvent, ActionObserver, ActionOutcome } from '@platen/lib-actions';
import type { Actor } from '@platen/lib-actor';
import type { ModelAction } from '@platen/plugin-navigate/keys';
import { findTarget } from './find-target.js';
import type { Use } from './in-page/index.js';
import type { ScriptStep, Target } from './script.js';

/** A tab at one moment. */
export interface TabState {
  readonly url: string;
  /** Documents that were loaded since its first action. */
  readonly documents: number;
}

/** An action, and its effects on the page until the next action. */
export interface RecordedAction extends Pick<ScriptStep, 'action' | 'tab' | 'targets' | 'written' | 'point'> {
  readonly before: TabState;
  after: TabState;
  /** Ids of tabs. */
  readonly opened: string[];
  hasClosedTab: boolean;
}

/** Records the actions of a navigation that were carried out. */
export class ActionRecorder implements ActionObserver {
  readonly actions: RecordedAction[] = [];
  /** Tabs that the page opened before the first action. */
  readonly opened: string[] = [];
  /** The current tab. */
  end = { tab: 't1', url: '' };
  readonly #signal: AbortSignal;
  /** Number of documents by tab. */
  readonly #documents = new Map<string, number>();
  #pending: Pick<RecordedAction, 'tab' | 'before' | 'targets'> | undefined;

  constructor(signal: AbortSignal) {
    this.#signal = signal;
  }

  async before({ action, actor, refs }: ActionEvent): Promise<void> {
    this.#update(actor);
    const tab = actor.dialog?.tab ?? this.end.tab;
    const targets = new Map<string, Target>();
    this.#pending = { tab, targets, before: this.#stateOf(tab, actor) };
    // A page with an open dialog does not respond.
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
      const { point: at } = performed;
      const point = at === undefined ? undefined : ([Math.round(at.x), Math.round(at.y)] as const);
      this.actions.push({ action, ...pending, written, point, after: pending.before, opened: [], hasClosedTab: false });
    }
    this.#update(actor);
  }

  /** The page may have gone on since: the newest action is the cause. */
  #update(actor: Actor): void {
    const last = this.actions.at(-1);
    for (const { id, page } of actor.tabs) {
      if (this.#documents.has(id)) continue;
      if (id !== 't1') (last ?? this).opened.push(id);
      this.#documents.set(id, 0);
      page.on('Page.frameNavigated', ({ frame: { parentId } }) => {
        if (parentId === undefined) this.#documents.set(id, (this.#documents.get(id) ?? 0) + 1);
      });
    }
    const current = actor.tabs.find(({ isCurrent }) => isCurrent);
    if (current !== undefined) this.end = { tab: current.id, url: current.url };
    if (last === undefined) return;
    last.after = this.#stateOf(last.tab, actor);
    last.hasClosedTab = actor.tabs.every(({ id }) => id !== last.tab);
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
  if (kind === 'type') return 'fill';
  return kind === 'fill' || kind === 'select' || kind === 'check' || kind === 'upload' ? kind : 'other';
}
