import type { DeviceProfile } from '@platen/kernel';
import type { Direction, Modifier } from '@platen/lib-actor';

/** One way to find an element, which finds no other one in its document. */
export type Locator =
  | { readonly by: 'testId'; readonly attribute: string; readonly value: string }
  | { readonly by: 'role'; readonly role: string; readonly name: string }
  | { readonly by: 'label' | 'placeholder' | 'alt' | 'title' | 'text'; readonly text: string }
  /** One selector for each shadow tree, from the outermost; a single one is unique in all of them. */
  | { readonly by: 'css'; readonly parts: readonly string[] };

/** An element, as it was when the action began. */
export interface Target {
  /** The elements of the frames around it, from the top. */
  readonly frames: readonly Place[];
  readonly place: Place;
  readonly facts: TargetFacts;
}

export interface Place {
  /** The best first; never empty. */
  readonly locators: readonly Locator[];
  readonly shadow: 'none' | 'open' | 'closed';
}

export interface TargetFacts {
  /** In lower case. */
  readonly tag: string;
  readonly isFileInput: boolean;
  /** Only its label can be clicked. */
  readonly isHidden: boolean;
  /** An ARIA list of options that is open. */
  readonly isOpen: boolean;
}

/** Text that a script fills in. */
export type Value = { readonly from: 'text'; readonly text: string } | { readonly from: 'credential' | 'data'; readonly name: string };

export type ScriptAction =
  | { readonly kind: 'goto'; readonly url: string }
  | {
      readonly kind: 'click';
      readonly at: Target;
      readonly button?: string;
      readonly count?: number;
      readonly modifiers?: readonly Modifier[];
    }
  | { readonly kind: 'hover'; readonly at: Target }
  | { readonly kind: 'fill'; readonly at: Target; readonly value: Value; readonly submit: boolean }
  | { readonly kind: 'select'; readonly at: Target; readonly values: readonly Value[] }
  | { readonly kind: 'check'; readonly at: Target; readonly on: boolean }
  | { readonly kind: 'press'; readonly at: Target | undefined; readonly modifiers: readonly Modifier[]; readonly key: string }
  | {
      readonly kind: 'scroll';
      readonly at: Target | undefined;
      readonly point: readonly [number, number];
      readonly dir: Direction;
      readonly by: number;
    }
  | { readonly kind: 'drag'; readonly at: Target; readonly to: Target }
  | { readonly kind: 'upload'; readonly at: Target; readonly files: readonly string[] }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'back' }
  | { readonly kind: 'close' }
  /** It cannot be written. */
  | { readonly kind: 'missing'; readonly what: string };

export interface DialogAnswer {
  readonly accept: boolean;
  readonly text?: string;
}

/** What the page does after the action, and the script waits for. A pattern is the source of a regular expression. */
export type Arrival = { readonly to: 'url'; readonly pattern: string } | { readonly to: 'document' };

export interface ScriptStep {
  /** `t1`. */
  readonly tab: string;
  /** Another tab was in front before. */
  readonly isSwitch: boolean;
  /** Why the navigator did it. */
  readonly why: string;
  readonly action: ScriptAction;
  /** Of the dialogs that it opens, in their order. */
  readonly answers: readonly DialogAnswer[];
  readonly opens: string | undefined;
  /** The action makes the page close its own tab. */
  readonly closes: boolean;
  readonly arrival: Arrival | undefined;
}

/** How the script recognizes that the goal is reached. */
export type Assertion =
  /** As above. */
  { readonly by: 'url'; readonly pattern: string } | { readonly by: 'css'; readonly selector: string };

/** A navigation, as both forms of a script show it. Other texts than patterns and locators are not redacted. */
export interface Script {
  readonly task: string;
  readonly profile: DeviceProfile;
  /** Names. */
  readonly credentials: readonly string[];
  readonly data: ReadonlyMap<string, string>;
  /** The first one loads the target. */
  readonly steps: readonly ScriptStep[];
  /** Undefined after a navigation that did not reach its goal. */
  readonly assertion: (Assertion & { readonly tab: string }) | undefined;
}
