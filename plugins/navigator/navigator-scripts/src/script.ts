import type { DeviceProfile } from '@platen/kernel';
import type { ModelAction } from '@platen/plugin-navigate/keys';

/** Replaces the parts of credentials in a text. */
export type Redact = (text: string) => string;

/** One way to find an element, which finds no other one in its document. */
export type Locator =
  | { readonly by: 'role'; readonly role: string; readonly name: string }
  | { readonly by: 'label' | 'text'; readonly text: string }
  | { readonly by: 'attribute'; readonly name: string; readonly value: string }
  /** One selector for each shadow tree, from the outermost; a single one is unique in all of them. */
  | { readonly by: 'css'; readonly parts: readonly string[] };

export interface Place {
  /** The best first; never empty. */
  readonly locators: readonly Locator[];
  readonly shadow: 'none' | 'open' | 'closed';
}

/** An element, as it was when the action began. */
export interface Target extends Place {
  /** The elements of its ancestor frames, from the top. */
  readonly frames: readonly Place[];
  readonly facts: TargetFacts;
}

export interface TargetFacts {
  readonly isNativeSelect: boolean;
  readonly isFileInput: boolean;
  /** An ARIA list of options that is open. */
  readonly isOpen: boolean;
}

export interface ScriptStep {
  /** `t1`. */
  readonly tab: string;
  /** Another tab was in front before. */
  readonly isSwitch: boolean;
  /** Values by name, as the navigator gave them. A URL is absolute; a tab is closed. */
  readonly action: ModelAction;
  /** By ref. A ref is missing if its element could not be described. */
  readonly targets: ReadonlyMap<string, Target>;
  /** The text for a `write:` value. */
  readonly written: string | undefined;
  /** Of the pointer, in CSS pixels of the viewport. */
  readonly point: readonly [number, number] | undefined;
  /** Of the dialogs that it opens, in their order. */
  readonly answers: readonly { readonly accept: boolean; readonly text?: string }[];
  readonly opens: string | undefined;
  /** The action makes the page close its own tab. */
  readonly closes: boolean;
  /** The event that the script waits for: a URL (source of a regular expression), or a new document. */
  readonly arrival: { readonly pattern: string } | 'document' | undefined;
}

/** A navigation, for the scripts of all tools. Patterns and locators are redacted, other texts are not. */
export interface Script {
  readonly task: string;
  readonly profile: DeviceProfile;
  /** Names. */
  readonly credentials: readonly string[];
  readonly data: ReadonlyMap<string, string>;
  /** The first one loads the target. */
  readonly steps: readonly ScriptStep[];
  /** How the script recognizes that the goal is reached. Undefined after a navigation that did not reach it. */
  readonly assertion: { readonly tab: string; readonly pattern?: string; readonly selector?: string } | undefined;
}
