import type { RenderContext } from '@platen/kernel';
import { createSpool } from '@platen/lib-spool';
import type { ActionEvent, ActionObserver, ActionOutcome } from '@platen/lib-actions';
import type { ModelAction, Navigation } from '@platen/plugin-navigate/keys';
import type { VideoSize } from './captions-area.js';
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
export class SessionRecorder implements ActionObserver {
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

/** Longer captions would cover the page. */
const MAX_LENGTH = 160;

interface DescribedAction extends Pick<ActionEvent, 'refs'> {
  readonly action: ModelAction;
}

/** The caption of an action, on one line: the navigator's reason, else a description. No secrets, if `redact` knows them. */
export function describeAction({ action, refs }: DescribedAction, redact: (text: string) => string): string {
  const nameOf = (ref: string): string => {
    const { role = 'element', name = '' } = refs.find(ref) ?? {};
    return name === '' ? role : `${role} ${quote(name)}`;
  };
  // The entry of this kind of action.
  const phrase = PHRASES[action.kind] as ((action: ModelAction, nameOf: NameOf) => string) | undefined;
  const why = action.why?.trim() ?? '';
  const text = redact(why === '' ? (phrase?.(action, nameOf) ?? '') : why)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = Array.from(text);
  return characters.length <= MAX_LENGTH ? text : `${characters.slice(0, MAX_LENGTH - 1).join('')}…`;
}

type NameOf = (ref: string) => string;

type Kind = ModelAction['kind'];

const PHRASES: { readonly [K in Kind]?: (action: Extract<ModelAction, { readonly kind: K }>, nameOf: NameOf) => string } = {
  click: ({ ref }, nameOf) => `clicks ${nameOf(ref)}`,
  hover: ({ ref }, nameOf) => `points at ${nameOf(ref)}`,
  fill: ({ ref, value }, nameOf) => `fills ${nameOf(ref)} with ${describeValue(value)}`,
  type: ({ value }) => `types ${describeValue(value)}`,
  select: ({ ref, values }, nameOf) => `selects ${values.map(describeValue).join(', ')} in ${nameOf(ref)}`,
  check: ({ ref, on }, nameOf) => `${on ? 'checks' : 'unchecks'} ${nameOf(ref)}`,
  press: ({ keys }) => `presses ${keys}`,
  scroll: ({ dir }) => `scrolls ${dir}`,
  drag: ({ from, to }, nameOf) => `drags ${nameOf(from)} to ${nameOf(to)}`,
  upload: ({ ref, files }, nameOf) => `attaches ${files.join(', ')} to ${nameOf(ref)}`,
  wait: () => 'waits',
  goto: ({ url }) => `opens ${url}`,
  back: () => 'goes back',
  tab: ({ close }) => (close === true ? 'closes a tab' : 'changes to another tab'),
  dialog: ({ accept }) => `${accept ? 'accepts' : 'dismisses'} the dialog`,
};

/** A value as the navigator gave it: credentials and data by name. */
function describeValue(value: string): string {
  const [, kind, name = ''] = /^(credential|data|write):(.*)$/s.exec(value) ?? [];
  if (kind === 'credential') return `the credential ${name}`;
  if (kind === 'data') return name;
  return kind === 'write' ? 'a text' : quote(value);
}

function quote(text: string): string {
  return `"${text.trim()}"`;
}
