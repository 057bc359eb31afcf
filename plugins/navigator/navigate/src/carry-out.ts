import type { RenderContext } from '@platen/kernel';
import { type Action, ActionError, type Actor, type Performed } from '@platen/lib-actor';
import type { RefTable } from '@platen/lib-view';
import type { Credentials } from './credentials.js';
import type { ScopeGuard } from './enforce-scope.js';
import type { Navigation, NavigationObserver } from './keys.js';
import type { GivenFile } from './read-inputs.js';
import { ActionRefusal, type PageAction, resolveAction, urlOf } from './resolve-action.js';
import type { UrlScope } from './url-scope.js';

export interface CarryOutParts {
  readonly context: RenderContext;
  readonly actor: Actor;
  readonly refs: RefTable;
  readonly navigation: Navigation;
  readonly scope: UrlScope;
  readonly guard: ScopeGuard;
  readonly credentials: Credentials;
  readonly files: readonly GivenFile[];
  readonly limits: { readonly stepMs: number };
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

/** Carries out an action on the page, waits until the page has settled, and leaves pages outside of the scope. */
export async function carryOut(action: PageAction, parts: CarryOutParts): Promise<Outcome> {
  const { actor, refs, limits, context, navigation, guard, step } = parts;
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

function readWritten(action: PageAction, resolved: Action): string | undefined {
  return 'value' in action && action.value.startsWith('write:') && 'value' in resolved ? resolved.value : undefined;
}

/** Scripts can change the address without a request. Returns a notice if that happened. */
async function returnToScope({ actor, scope, context, limits }: CarryOutParts): Promise<string | undefined> {
  if (actor.dialog !== undefined) return undefined;
  if (scope.allows(urlOf(actor))) return undefined;
  const limit = { signal: context.signal, timeoutMs: limits.stepMs };
  await actor.perform({ kind: 'back' }, limit).catch(() => actor.perform({ kind: 'goto', url: context.plan.url }, limit));
  await actor.settle(context.signal);
  return 'the page went outside of where you may go, and was left';
}

async function observe({ navigation, context }: CarryOutParts, call: (observer: NavigationObserver) => unknown): Promise<void> {
  for (const observer of navigation.observers) {
    try {
      await call(observer);
    } catch (error) {
      context.signal.throwIfAborted();
      context.log.warn({ err: error }, 'an observer of a navigation failed');
    }
  }
}
