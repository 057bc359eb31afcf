import type { Dialog, Page, Rect } from '@platen/kernel';

export type Modifier = 'Alt' | 'Control' | 'Meta' | 'Shift';

export type Direction = 'up' | 'down' | 'left' | 'right';

/** A file to be given to a page. */
export interface UploadFile {
  readonly name: string;
  /** Media type. */
  readonly type: string;
  readonly data: Buffer;
}

/** What a user can do. Elements are named by their refs, as a snapshot lists them. */
export type Action =
  | {
      readonly kind: 'click';
      readonly ref: string;
      readonly button?: 'left' | 'middle' | 'right';
      readonly count?: 1 | 2 | 3;
      readonly modifiers?: readonly Modifier[];
    }
  | { readonly kind: 'hover'; readonly ref: string }
  /** `submit` presses Enter. */
  | { readonly kind: 'fill'; readonly ref: string; readonly value: string; readonly submit?: boolean; readonly secret?: Secret }
  /** Key by key, also over several fields. Without a ref: where the focus is. */
  | { readonly kind: 'type'; readonly ref?: string; readonly value: string; readonly submit?: boolean }
  /** By label, else by value. */
  | { readonly kind: 'select'; readonly ref: string; readonly values: readonly string[] }
  | { readonly kind: 'check'; readonly ref: string; readonly on: boolean }
  /** `Enter`, `Control+A`, `ArrowDown`. Without a ref: where the focus is. */
  | { readonly kind: 'press'; readonly keys: string; readonly ref?: string }
  /** `amount` in CSS pixels; default: 80 % of the scrolled box. Without a ref: the page. */
  | { readonly kind: 'scroll'; readonly ref?: string; readonly dir: Direction; readonly amount?: number }
  | { readonly kind: 'drag'; readonly from: string; readonly to: string }
  | { readonly kind: 'upload'; readonly ref: string; readonly files: readonly UploadFile[] }
  /** At most 10,000. */
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'goto'; readonly url: string }
  | { readonly kind: 'back' }
  /** Makes the tab current, or closes it. */
  | { readonly kind: 'tab'; readonly tab: string; readonly close?: boolean }
  | { readonly kind: 'dialog'; readonly accept: boolean; readonly text?: string };

/** The characters of such a value are not painted, and no error contains them. */
export interface Secret {
  /** Called with what the field is once it has the focus, and again before a submit. Throws if the value does not belong there. */
  accept(field: ElementFacts): void;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** What a log, a script or a rule needs to know of an element. */
export interface ElementFacts {
  /** As the snapshot named it. */
  readonly role: string;
  readonly name: string;
  /** In lower case. */
  readonly tag: string;
  /** Of an `input` element. */
  readonly inputType?: string;
  readonly autocomplete?: string;
  readonly multiple?: boolean;
  /** Of the element's document; `null` if it has none of its own, as in sandboxed frames. */
  readonly origin: string;
  /** From the element's own frame up to the top. */
  readonly frameUrls: readonly string[];
  /** Absolute URL that a submit of its form goes to: of the element itself, of the form's button for Enter, or of the form. */
  readonly formAction?: string;
  /** A secret was filled into it, or into a field in it. */
  readonly holdsSecret?: boolean;
  /** CSS pixels of the tab's viewport; without area if the element is not rendered. */
  readonly box: Rect;
}

export type DialogFacts = Pick<Dialog, 'type' | 'message' | 'defaultPrompt'>;

/** What happened. */
export interface Performed {
  readonly element?: ElementFacts;
  /** The element on which a drag ended. */
  readonly to?: ElementFacts;
  /** Where the pointer was, in CSS pixels of the viewport of the tab acted on. */
  readonly point?: Point;
  readonly toPoint?: Point;
  /** `performance.now()`. */
  readonly startedAt: number;
  readonly endedAt: number;
  /** The tab acted on. */
  readonly tab: string;
  readonly openedTab?: string;
  readonly closedTab?: string;
  /** A dialog that opened and is now held. */
  readonly dialog?: DialogFacts;
  /** Of the main frame of the current tab. */
  readonly urlBefore: string;
  readonly urlAfter: string;
}

/** An action that could not be carried out. The message is a clause for a language model: `e12 is disabled`. */
export class ActionError extends Error {
  override readonly name = 'ActionError';
}

export interface Tab {
  /** `t1`, `t2` ... */
  readonly id: string;
  readonly page: Page;
  /** Of the main frame. */
  readonly url: string;
  readonly isCurrent: boolean;
}

export interface ActionLimit {
  readonly signal: AbortSignal;
  /** For the whole action. */
  readonly timeoutMs: number;
}

export interface Actor {
  /** Of the current tab. */
  readonly page: Page;
  readonly tabs: readonly Tab[];
  /** A dialog that waits for its answer: until then only `dialog` can be performed. */
  readonly dialog: (DialogFacts & { readonly tab: string }) | undefined;
  /** The last action opened a file chooser, which was canceled: files are given by `upload`. Known after `settle`. */
  readonly openedFileChooser: boolean;
  /**
   * The element; without a ref, the one that has the focus. Its role and name are empty then.
   *
   * @throws ActionError if it is gone.
   */
  describe(ref?: string): Promise<ElementFacts>;
  /**
   * Carries out one action at a time. A navigation that it starts is not waited for; a dialog that it opens is held.
   *
   * @throws ActionError if it cannot be carried out; the signal's reason if that is aborted.
   */
  perform(action: Action, limit: ActionLimit): Promise<Performed>;
  /**
   * Waits until the current tab is at rest: no navigation, no requests but for media and streams, no change of the document. At most 5 s;
   * not while a dialog is held.
   */
  settle(signal: AbortSignal): Promise<void>;
  /** Runs for each dialog that opens, until the returned function is called. */
  onDialog(listener: () => void): () => void;
  /** Runs for each new popup, which becomes current after the action that opened it. */
  onTab(listener: (tab: Tab) => void): void;
  /** Stops listening. Dialogs are canceled again. */
  close(): void;
}
