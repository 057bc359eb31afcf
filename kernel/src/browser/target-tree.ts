import type { CDPSession } from 'puppeteer';
import { PlatenError } from '../errors.js';
import type { Logger } from '../logger.js';
import type { Configurator, TargetKind, TargetSession, TargetTree } from './contract.js';
import type { ManagedSession, SessionKeeper } from './protocol-session.js';
import { type Attached, AUTO_ATTACH, resume, type TargetRouter } from './target-router.js';

/** The tree as its owner has it. */
export interface OwnedTargetTree extends TargetTree {
  /** Takes in a target that appeared in the browser context. */
  adopt(raw: CDPSession, attached: Attached): void;
  /** The page that the render captures, once it is attached. */
  readonly page: { readonly target: TargetSession; readonly session: ManagedSession } | undefined;
  /**
   * Resolves once the page has acknowledged all configuration so far; throws what it refused. A navigation sent before would lose
   * the configuration in its new renderer.
   */
  settled(): Promise<void>;
  /** Makes `settled` wait for one more thing. */
  await(promise: Promise<unknown>): void;
  /** Ends all calls of all targets. */
  end(reason: Error): void;
}

export interface TreeOptions {
  readonly router: TargetRouter;
  readonly sessions: SessionKeeper;
  readonly log: Logger;
}

export function createTargetTree({ router, sessions, log }: TreeOptions): OwnedTargetTree {
  const configurators: Configurator[] = [];
  const targets = new Map<ManagedSession, TargetSession>();
  const acknowledgements: Promise<unknown>[] = [];
  let page: OwnedTargetTree['page'];
  let ended: Error | undefined;

  const run = (configurator: Configurator, target: TargetSession): void => {
    const sent = callConfigurator(configurator, target);
    // Only the page's are awaited; what a worker of an older kind refuses is no failure of the render.
    for (const promise of sent) promise.catch((error: unknown) => { log.debug({ err: error, kind: target.kind }, 'a target refused a setting'); });
    if (target.primary) acknowledgements.push(...sent);
  };

  const adopt = (raw: CDPSession, { sessionId, targetInfo: { type, targetId } }: Attached, parent?: CDPSession): void => {
    const kind = kindOf(type);
    if (kind === undefined || ended) {
      resume(raw);
      return;
    }
    if (kind === 'service_worker' && parent) {
      // Attached once by the browser, which came first, and once more by every page that it serves.
      resume(raw);
      parent.send('Target.detachFromTarget', { sessionId }, { timeout: 0 }).catch(() => undefined);
      return;
    }
    const session = sessions.keep(raw, () => targetEnded(kind));
    const primary = kind === 'page' && page === undefined;
    const target: TargetSession = { send: session.send, on: session.on, targetId, kind, primary };
    targets.set(session, target);
    session.onEnd(() => targets.delete(session));
    if (primary) page = { target, session };
    if (kind !== 'worklet') {
      raw.on('Target.attachedToTarget', (child) => {
        const childSession = router.connection.session(child.sessionId);
        if (childSession) adopt(childSession, child, raw);
      });
      run(() => [target.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: [{}] })], target);
    }
    for (const configurator of configurators) run(configurator, target);
    // All commands are on their way, in order: waiting for their answers here would hold popups and service workers for good.
    resume(raw);
  };

  return {
    adopt,
    get page() {
      return page;
    },
    get all() {
      return [...targets.values()];
    },
    configure(configurator) {
      configurators.push(configurator);
      for (const target of targets.values()) run(configurator, target);
    },
    async settled() {
      while (acknowledgements.length > 0) await Promise.all(acknowledgements.splice(0));
    },
    await(promise) {
      promise.catch(() => undefined);
      acknowledgements.push(promise);
    },
    end(reason) {
      ended ??= reason;
      for (const session of [...targets.keys()]) session.end(reason);
    },
  };
}

function callConfigurator(configurator: Configurator, target: TargetSession): readonly Promise<unknown>[] {
  try {
    return configurator(target);
  } catch (error) {
    return [Promise.reject(error instanceof Error ? error : new Error(String(error)))];
  }
}

/** The kinds that can be configured; undefined for what only has to be let run (`browser_ui`, `tab`, `other`). */
function kindOf(type: string): TargetKind | undefined {
  if (type.endsWith('worklet')) return 'worklet';
  return (['page', 'iframe', 'worker', 'shared_worker', 'service_worker'] as const).find((kind) => kind === type);
}

function targetEnded(kind: TargetKind): PlatenError {
  return new PlatenError('page_crashed', `the ${kind.replace('_', ' ')} has ended`, { retryable: true });
}
