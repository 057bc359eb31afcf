import { contextKey, paramKey } from '@platen/kernel';
import type { ActionObserver, ActionParts, NamedAction } from '@platen/lib-actions';
import type { NavigateParams } from './params.js';

/** An action as a model gives it. */
export type ModelAction =
  | NamedAction
  | ((
      | { /** Another navigator acts for a turn. */ readonly kind: 'escalate'; readonly to: string; readonly reason: string }
      | { readonly kind: 'done'; readonly answer: string; readonly success: boolean }
      | { readonly kind: 'fail'; readonly reason: string }
    ) &
      Pick<NamedAction, 'why'>);

/** The inputs and the result of a navigation. */
export interface Navigation {
  /** Add observers in `beforeNavigate`. */
  readonly observers: ActionObserver[];
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

export const credentialParam = paramKey<NavigateParams, 'navigator_credential'>('navigator_credential');
export const credentialOriginParam = paramKey<NavigateParams, 'navigator_credential_origin'>('navigator_credential_origin');
export const fileParam = paramKey<NavigateParams, 'navigator_file'>('navigator_file');
export const navigateParam = paramKey<NavigateParams, 'navigate'>('navigate');

/** Acts before the first step of the navigator. Set in `beforeNavigate`. */
export const firstActionsKey = contextKey<(parts: ActionParts) => Promise<void>>('navigate: first actions');

/** Of a render with `navigate`. */
export const navigationKey = contextKey<Navigation>('navigation');

declare module '@platen/kernel' {
  interface CaptureKinds {
    goal: NavigationReport;
  }
}
