import { contextKey, paramKey } from '@platen/kernel';
import type { Action, Actor, Performed } from '@platen/lib-actor';
import type { RefTable } from '@platen/lib-view';
import type { NavigateParams } from './params.js';

/** An action as a model gives it: `value` and `values` may be `credential:NAME`, `data:NAME` or `write:INSTRUCTION`, files are names. */
export type ModelAction = (
  | Exclude<Action, { readonly kind: 'fill' | 'upload' }>
  | { readonly kind: 'fill'; readonly ref: string; readonly value: string; readonly submit?: boolean }
  | { readonly kind: 'upload'; readonly ref: string; readonly files: readonly string[] }
  /** Another navigator acts for a turn. */
  | { readonly kind: 'escalate'; readonly to: string; readonly reason: string }
  | { readonly kind: 'done'; readonly answer: string; readonly success: boolean }
  | { readonly kind: 'fail'; readonly reason: string }
) & {
  /** Its purpose, in a few words. */
  readonly why?: string;
};

/** An action of the navigator that is about to be carried out. Values of credentials are in none of its members. */
export interface ActionEvent {
  /** From 1. */
  readonly step: number;
  /** As the model gave it: credentials and data by name. */
  readonly action: ModelAction;
  readonly actor: Actor;
  readonly refs: RefTable;
}

/** An action that was carried out, or that failed. */
export interface ActionOutcome extends ActionEvent {
  readonly performed: Performed | undefined;
  /** Why it failed, as a clause. */
  readonly failure: string | undefined;
  /** The text that a writer has made for a `write:` value. */
  readonly written: string | undefined;
}

/** Observes a navigation, which waits for its promises. Its errors do not end the navigation. */
export interface NavigationObserver {
  /** The elements of the action exist, and have not changed. */
  before?(event: ActionEvent): unknown;
  after?(outcome: ActionOutcome): unknown;
}

/** The inputs and the result of a navigation. */
export interface Navigation {
  /** Add observers in `beforeNavigate`. */
  readonly observers: NavigationObserver[];
  /** The text without the values of credentials, in each form in which they may be written. */
  redact(text: string): string;
  /** Names and values of the data that the model sees. */
  readonly data: ReadonlyMap<string, string>;
  /** How the goal is recognized, if the request says. */
  readonly goal: string | undefined;
  /** Set once the navigation is over. */
  report: NavigationReport | undefined;
}

export interface NavigationReport {
  readonly status: 'reached' | 'failed' | 'max_steps' | 'stalled';
  /** The last answer of the navigator. */
  readonly answer: string;
  readonly steps: number;
  readonly url: string;
  /** One line for each action and its outcome. */
  readonly history: readonly string[];
}

export const navigateParam = paramKey<NavigateParams, 'navigate'>('navigate');

/** Of a render with `navigate`. */
export const navigationKey = contextKey<Navigation>('navigation');

declare module '@platen/kernel' {
  interface CaptureKinds {
    goal: NavigationReport;
  }
}
