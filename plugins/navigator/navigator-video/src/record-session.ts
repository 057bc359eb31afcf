import type { RenderContext } from '@platen/kernel';
import type { ActionEvent, ActionOutcome, Navigation } from '@platen/plugin-navigate/keys';
import { createSpool, type Spool } from '@platen/lib-spool';
import type { VideoSize } from './captions-area.js';
import { describeAction } from './describe-action.js';
import { recordScreen, type ScreenFrame, type ScreenRecording, type Viewport } from './record-screen.js';

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** An action in the recording. All times are those of `performance.now()`. */
export interface RecordedAction {
  /** Nothing of it has happened yet. */
  readonly at: number;
  /** The page has settled after it. */
  until: number;
  readonly caption: string;
  pointer: RecordedPointer | undefined;
}

/** What the pointer did, in pixels of the viewport. */
export interface RecordedPointer {
  readonly viewport: Viewport;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly point: Point;
  /** Where a drag ended. */
  readonly toPoint: Point | undefined;
  readonly isPress: boolean;
}

/** The screen and the actions of a navigation. */
export interface SessionRecording {
  readonly frames: readonly ScreenFrame[];
  readonly actions: readonly RecordedAction[];
  /** `performance.now()` of the end. */
  readonly endedAt: number;
  readonly isTruncated: boolean;
  stop(): void;
}

/** Actions that move the pointer without a press. */
const WITHOUT_PRESS: ReadonlySet<string> = new Set(['hover', 'scroll']);

/** Records a navigation from its first document on, until it is stopped. */
export async function recordSession(
  { page, log, onRenderEnd }: Pick<RenderContext, 'page' | 'log' | 'onRenderEnd'>,
  navigation: Navigation,
  size: VideoSize,
): Promise<SessionRecording> {
  const spool: Spool = createSpool();
  const screen = recordScreen({ size, spool, log });
  const actions: RecordedAction[] = [];
  let endedAt: number | undefined;
  const stop = (): void => {
    endedAt ??= performance.now();
    screen.stop();
  };
  onRenderEnd(async () => {
    stop();
    await spool[Symbol.asyncDispose]();
  });
  // Until then the tab is empty.
  const forget = page.on('Page.frameNavigated', ({ frame: { parentId, url } }) => {
    if (parentId !== undefined || url === 'about:blank') return;
    forget();
    screen.restart();
  });
  navigation.observers.push(createObserver(screen, actions, (text) => navigation.redact(text)));
  screen.show(page.targetId);
  await screen.follow(page);
  return {
    frames: screen.frames,
    actions,
    stop,
    get endedAt() {
      return endedAt ?? performance.now();
    },
    get isTruncated() {
      return screen.isTruncated;
    },
  };
}

function createObserver(screen: ScreenRecording, actions: RecordedAction[], redact: (text: string) => string) {
  const actors = new WeakSet<ActionEvent['actor']>();
  /** Of the tab acted on: it may close. */
  let target = '';
  let before: Viewport | undefined;
  const followTabs = ({ actor }: ActionEvent): void => {
    for (const { page } of actor.tabs) void screen.follow(page);
    if (actors.has(actor)) return;
    actors.add(actor);
    actor.onTab(({ page }) => void screen.follow(page));
  };
  return {
    before(event: ActionEvent): void {
      followTabs(event);
      target = event.actor.page.targetId;
      screen.show(target);
      screen.mark();
      before = screen.viewportOf(target);
      const at = performance.now();
      actions.push({ at, until: at, caption: describeAction(event, redact), pointer: undefined });
    },
    after({ actor, action, performed }: ActionOutcome): void {
      const recorded = actions.at(-1);
      if (recorded === undefined) return;
      recorded.until = performance.now();
      const viewport = screen.viewportOf(target) ?? before;
      const { point, toPoint, startedAt, endedAt } = performed ?? {};
      if (viewport !== undefined && point !== undefined && startedAt !== undefined && endedAt !== undefined) {
        recorded.pointer = { ...{ viewport, startedAt, endedAt, point, toPoint }, isPress: !WITHOUT_PRESS.has(action.kind) };
      }
      screen.show(actor.page.targetId);
    },
  };
}
