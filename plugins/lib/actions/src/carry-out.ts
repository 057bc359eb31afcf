import { PlatenError, type RenderContext } from '@platen/kernel';
import { type Action, ActionError, type Actor, type Performed } from '@platen/lib-actor';
import type { RefTable } from '@platen/lib-view';
import type { Credentials } from './credentials.js';
import type { GivenFile } from './given-files.js';
import { ActionRefusal, type NamedAction, resolveAction, urlOf } from './resolve-action.js';
import type { UrlScope } from './url-scope.js';

/** An action that is about to be carried out. Values of credentials are in none of its members. */
export interface ActionEvent {
  /** From 1; 0: before the first step of a navigator. */
  readonly step: number;
  /** Credentials and data by name. */
  readonly action: NamedAction;
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

/** Observes actions, which wait for its promises. Its errors do not end them. */
export interface ActionObserver {
  /** The elements of the action exist, and have not changed. */
  before?(event: ActionEvent): unknown;
  after?(outcome: ActionOutcome): unknown;
}

/** What all actions of a render share. */
export interface ActionParts {
  readonly context: RenderContext;
  readonly actor: Actor;
  readonly refs: RefTable;
  readonly navigation: {
    readonly observers: readonly ActionObserver[];
    readonly data: ReadonlyMap<string, string>;
    /** The text without the values of credentials, in each form in which they may be written. */
    redact(text: string): string;
  };
  readonly scope: UrlScope;
  /** Documents that the page was not allowed to load since the last call. */
  readonly guard: { takeRefused(): readonly string[] };
  readonly credentials: Credentials;
  readonly files: readonly GivenFile[];
  /** Milliseconds for an action. */
  readonly limits: { readonly stepMs: number };
}

export interface CarryOutParts extends ActionParts {
  readonly step: number;
  /** Undefined without a writer. */
  readonly write: ((instruction: string) => Promise<string>) | undefined;
}

export interface Outcome {
  readonly performed: Performed | undefined;
  /** Why the action failed, as a clause for the model. */
  readonly failure: string | undefined;
  /** A note for the model. */
  readonly notice: string | undefined;
}

/** Throws once the render has ended, or captures the page as it is: nothing acts in it any more. */
export function assertActing({ signal, isUnready }: Pick<RenderContext, 'signal' | 'isUnready'>): void {
  signal.throwIfAborted();
  if (isUnready) throw new PlatenError('render_timeout', 'the time is up, and the page is captured as it is');
}

/** Carries out an action on the page, waits until the page has settled, and leaves pages outside of the scope. */
export async function carryOut(action: NamedAction, parts: CarryOutParts): Promise<Outcome> {
  const { actor, refs, limits, context, navigation, guard, step } = parts;
  assertActing(context);
  const event = { step, action, actor, refs };
  await observe(parts, (observer) => observer.before?.(event));
  let performed: Performed | undefined;
  let failure: string | undefined;
  let notice: string | undefined;
  let written: string | undefined;
  try {
    const resolved = await resolveAction(action, parts);
    written = readWritten(action, resolved);
    performed = await actor.perform(resolved, { signal: context.signal, timeoutMs: limits.stepMs });
    if (actor.dialog === undefined) await actor.settle(context.signal);
    notice =
      (await returnToScope(parts)) ?? (actor.openedFileChooser ? 'the page asks for files: use "upload" on that element' : undefined);
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof ActionError) && !(error instanceof ActionRefusal)) throw error;
    failure = navigation.redact(error.message);
  }
  const refused = guard.takeRefused();
  if (refused.length > 0) failure = `${navigation.redact(refused.join(', '))} is outside of where you may go`;
  await observe(parts, (observer) => observer.after?.({ ...event, performed, failure, written }));
  return { performed, failure, notice };
}

function readWritten(action: NamedAction, resolved: Action): string | undefined {
  return 'value' in action && action.value.startsWith('write:') && 'value' in resolved ? resolved.value : undefined;
}

/** Scripts can change the address without a request, and a page may fail to load. Returns a notice if that happened. */
async function returnToScope({ actor, scope, context, limits }: CarryOutParts): Promise<string | undefined> {
  if (actor.dialog !== undefined) return undefined;
  const url = urlOf(actor);
  if (scope.allows(url)) return undefined;
  const limit = { signal: context.signal, timeoutMs: limits.stepMs };
  await actor.perform({ kind: 'back' }, limit).catch(() => actor.perform({ kind: 'goto', url: context.plan.url }, limit));
  await actor.settle(context.signal);
  // The browser's own page: the host is gone, or an archive that is replayed lacks the response.
  if (url.startsWith('chrome-error:')) return 'the next page could not be loaded: this is the one before';
  return 'the page went outside of where you may go, and was left';
}

async function observe({ navigation, context }: CarryOutParts, call: (observer: ActionObserver) => unknown): Promise<void> {
  for (const observer of navigation.observers) {
    try {
      await call(observer);
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.warn({ err: error }, 'an observer of a navigation failed');
    }
  }
}
