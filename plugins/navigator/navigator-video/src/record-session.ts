import type { RenderContext } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import type { ActionEvent, ActionOutcome, Navigation, NavigationObserver } from '@platen/plugin-navigate/keys';
import type { VideoSize } from './captions-area.js';
import { describeAction } from './describe-action.js';
import { type ScreenFrame, ScreenRecorder, type Viewport } from './record-screen.js';

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

/** Of an action on an element. Points in CSS pixels of the viewport. */
export interface RecordedPointer {
  readonly viewport: Viewport;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly point: Point;
  /** Where a drag ended. */
  readonly toPoint: Point | undefined;
  readonly isPress: boolean;
}

/** Actions that move the pointer without a press. */
const WITHOUT_PRESS: ReadonlySet<string> = new Set(['hover', 'scroll']);

type Context = Pick<RenderContext, 'page' | 'log' | 'onRenderEnd'>;

/** Records the screen and the actions of a navigation, from its first document until it is stopped. */
export class SessionRecorder implements NavigationObserver {
  readonly actions: RecordedAction[] = [];
  readonly #screen: ScreenRecorder;
  readonly #redact: (text: string) => string;
  #endedAt: number | undefined;
  #actor: ActionEvent['actor'] | undefined;
  /** The tab acted on, which may close. */
  #target = '';
  #viewport: Viewport | undefined;

  constructor(screen: ScreenRecorder, redact: (text: string) => string) {
    this.#screen = screen;
    this.#redact = redact;
  }

  static async start({ page, log, onRenderEnd }: Context, navigation: Navigation, size: VideoSize): Promise<SessionRecorder> {
    const spool = createSpool();
    const screen = new ScreenRecorder({ size, spool, log });
    const recorder = new SessionRecorder(screen, (text) => navigation.redact(text));
    onRenderEnd(async () => {
      recorder.stop();
      await spool[Symbol.asyncDispose]();
    });
    // Until then the tab is empty.
    const forget = page.on('Page.frameNavigated', ({ frame: { parentId, url } }) => {
      if (parentId !== undefined || url === 'about:blank') return;
      forget();
      screen.restart();
    });
    navigation.observers.push(recorder);
    screen.show(page.targetId);
    await screen.follow(page);
    return recorder;
  }

  get frames(): readonly ScreenFrame[] {
    return this.#screen.frames;
  }

  /** `performance.now()` of the end. */
  get endedAt(): number {
    return this.#endedAt ?? performance.now();
  }

  get isTruncated(): boolean {
    return this.#screen.isTruncated;
  }

  stop(): void {
    this.#endedAt ??= performance.now();
    this.#screen.stop();
  }

  before(event: ActionEvent): void {
    const { actor } = event;
    for (const { page } of actor.tabs) void this.#screen.follow(page);
    if (this.#actor !== actor) actor.onTab(({ page }) => void this.#screen.follow(page));
    this.#actor = actor;
    this.#target = actor.page.targetId;
    this.#screen.show(this.#target);
    this.#screen.mark();
    this.#viewport = this.#screen.viewportOf(this.#target);
    const at = performance.now();
    this.actions.push({ at, until: at, caption: describeAction(event, this.#redact), pointer: undefined });
  }

  after({ actor, action, performed }: ActionOutcome): void {
    const recorded = this.actions.at(-1);
    if (recorded === undefined) return;
    recorded.until = performance.now();
    const viewport = this.#screen.viewportOf(this.#target) ?? this.#viewport;
    if (viewport !== undefined && performed?.point !== undefined) {
      const { point, toPoint, startedAt, endedAt } = performed;
      recorded.pointer = { viewport, startedAt, endedAt, point, toPoint, isPress: !WITHOUT_PRESS.has(action.kind) };
    }
    this.#screen.show(actor.page.targetId);
  }
}
