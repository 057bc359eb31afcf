import { PlatenError } from '../../errors.js';
import type { Logger } from '../../logger.js';
import type { TargetInitializer, ProtocolSession, TargetKind, TargetSession, TargetTree } from './contract.js';
import { createInjector, type Injector } from './inject-script.js';
import type { ClosableSession, SessionRegistry } from './protocol-session.js';
import type { RawSession } from './raw-session.js';
import { type Attached, AUTO_ATTACH, resume, type TargetRouter } from './target-router.js';

export interface TreeOptions {
  readonly router: TargetRouter;
  readonly sessions: SessionRegistry;
  readonly log: Logger;
}

/** The page that the render captures. */
export interface PrimaryTarget {
  readonly target: TargetSession;
  readonly session: ClosableSession;
}

/** The target below which another one appeared. */
interface Parent {
  readonly raw: RawSession;
  readonly target: TargetSession;
}

/** Frames, workers and popups that one render may have at a time, its page included. */
const MOST_TARGETS = 128;

/** All targets of one browser context, with their owner's controls. */
export class ClosableTargetTree implements TargetTree {
  readonly #options: TreeOptions;
  readonly #initializers: TargetInitializer[] = [];
  readonly #targets = new Map<ClosableSession, TargetSession>();
  readonly #acknowledgements: Promise<unknown>[] = [];
  /** Sessions in addition to the ones that reported the targets. */
  readonly #more = new Set<ClosableSession>();
  #page: PrimaryTarget | undefined;
  #ended = false;

  constructor(options: TreeOptions) {
    this.#options = options;
  }

  get all(): readonly TargetSession[] {
    return [...this.#targets.values()];
  }

  /** The cross-site iframes of a page, parents before those in them; those of its popups are not. */
  iframesOf(page: TargetSession): readonly TargetSession[] {
    return this.all.filter((target) => target.kind === 'iframe' && embeddingPage(target) === page);
  }

  /** Undefined until it is attached. */
  get page(): PrimaryTarget | undefined {
    return this.#page;
  }

  /** Throws a `TypeError` to the caller if the initializer returns anything but promises for one of the existing targets. */
  configure(initializer: TargetInitializer): void {
    this.#initializers.push(initializer);
    for (const target of this.#targets.values()) {
      const misuse = this.#run(initializer, target);
      if (misuse !== undefined) throw misuse;
    }
  }

  /**
   * Resolves once the page has acknowledged all configuration so far; throws the page's error otherwise. A navigation sent earlier would
   * lose the configuration in its new renderer.
   */
  async settled(): Promise<void> {
    while (this.#acknowledgements.length > 0) await Promise.all(this.#acknowledgements.splice(0));
  }

  /** Makes `settled` wait for another promise. */
  await(promise: Promise<unknown>): void {
    promise.catch(() => undefined);
    this.#acknowledgements.push(promise);
  }

  /** Ends all calls of all targets, and the processes of workers: a busy worker would outlive its page by seconds. */
  end(reason: Error): void {
    this.#ended = true;
    if (this.all.some(({ kind }) => kind.endsWith('worker'))) this.#killRenderers();
    for (const session of [...this.#targets.keys(), ...this.#more]) session.end(reason);
  }

  /** Rejects the pending calls of all targets. */
  interrupt(reason: Error): void {
    for (const session of [...this.#targets.keys(), ...this.#more]) session.interrupt(reason);
  }

  /** Adds a target that appeared in the browser context, or below the parent. */
  adopt(raw: RawSession, { sessionId, targetInfo: { type, targetId } }: Attached, parent?: Parent): void {
    const kind = kindOf(type);
    // A service worker is attached first by the browser, and again by every page that it serves.
    const duplicate = kind === 'service_worker' && parent !== undefined;
    if (kind !== undefined && !duplicate && !this.#ended) {
      const { target, injector } = this.#keep(raw, { kind, targetId, parent: parent?.target });
      if (kind !== 'worklet') this.#follow(raw, target);
      for (const initializer of this.#initializers) {
        const misuse = this.#run(initializer, target);
        // No caller can handle the error, and the target must continue.
        if (misuse !== undefined) this.#options.log.error({ err: misuse, kind }, 'a target initializer is invalid');
      }
      this.#run(() => injector.starting(), target);
    }
    // All commands were sent in order. Waiting for their responses here would pause popups and service workers forever.
    resume(raw);
    if (duplicate) parent.raw.send('Target.detachFromTarget', { sessionId }, { timeout: 0 }).catch(() => undefined);
  }

  /** Every renderer has a page or a frame. A renderer obeys `Page.crash` even if its main thread is busy. */
  #killRenderers(): void {
    for (const { hasDocuments, send } of this.all) if (hasDocuments) send('Page.crash').catch(() => undefined);
  }

  #keep(
    raw: RawSession,
    { kind, targetId, parent }: Pick<TargetSession, 'kind' | 'targetId' | 'parent'>,
  ): { readonly target: TargetSession; readonly injector: Injector } {
    const session = this.#options.sessions.keep(raw, () => targetEnded(kind));
    const primary = kind === 'page' && this.#page === undefined;
    const { send, on, onEnd } = session;
    const openSession = () => this.#openSession(targetId, kind);
    const injector = createInjector({ session, kind, primary, log: this.#options.log });
    const { inject } = injector;
    const hasDocuments = kind === 'page' || kind === 'iframe';
    const target = { send, on, onEnd, openSession, inject, targetId, sessionId: raw.id(), kind, primary, hasDocuments, parent };
    this.#targets.set(session, target);
    // The first listener, so that `all` no longer has the target when later listeners run.
    session.onEnd(() => this.#targets.delete(session));
    if (primary) this.#page = { target, session };
    if (this.#targets.size > MOST_TARGETS) this.end(tooHeavy());
    return { target, injector };
  }

  async #openSession(targetId: string, kind: TargetKind): Promise<ProtocolSession> {
    const { router, sessions } = this.#options;
    const session = sessions.keep(await router.attach(targetId), () => targetEnded(kind));
    this.#more.add(session);
    session.onEnd(() => this.#more.delete(session));
    if (this.#ended) session.end(targetEnded(kind));
    return session;
  }

  #follow(raw: RawSession, target: TargetSession): void {
    raw.on('Target.attachedToTarget', (attached) => {
      const child = this.#options.router.connection.session(attached.sessionId);
      if (child) this.adopt(child, attached, { raw, target });
    });
    this.#run(() => [target.send('Target.setAutoAttach', { ...AUTO_ATTACH, filter: [{}] })], target);
  }

  /** Returns the initializer's error, if any. */
  #run(initializer: TargetInitializer, target: TargetSession): TypeError | undefined {
    const sent = callInitializer(initializer, target);
    if (sent instanceof TypeError) return sent;
    for (const promise of sent) {
      // Only the page's promises are awaited: a command that fails in a worker does not fail the render.
      promise.catch((error: unknown) => {
        this.#options.log.debug({ err: error, kind: target.kind }, 'a target rejected a setting');
      });
    }
    if (target.primary) this.#acknowledgements.push(...sent);
    return undefined;
  }
}

function embeddingPage({ parent }: TargetSession): TargetSession | undefined {
  return parent?.kind === 'iframe' ? embeddingPage(parent) : parent;
}

function callInitializer(initializer: TargetInitializer, target: TargetSession): readonly Promise<unknown>[] | TypeError {
  try {
    // Plugins need not be written in TypeScript.
    const answer: unknown = initializer(target);
    if (isPromises(answer)) return answer;
    for (const item of Array.isArray(answer) ? answer : [answer]) if (item instanceof Promise) item.catch(() => undefined);
    const what = answer instanceof Promise ? 'a promise, as an async function does' : Array.isArray(answer) ? 'other items' : typeof answer;
    return new TypeError(`a target initializer must return an array of promises, but returned ${what}`);
  } catch (error) {
    return [Promise.reject(error instanceof Error ? error : new Error(String(error)))];
  }
}

function isPromises(answer: unknown): answer is readonly Promise<unknown>[] {
  return Array.isArray(answer) && answer.every((item) => item instanceof Promise);
}

/** The kinds that can be configured; undefined for targets that only need to be resumed (`browser_ui`, `tab`, `other`). */
function kindOf(type: string): TargetKind | undefined {
  if (type.endsWith('worklet')) return 'worklet';
  return (['page', 'iframe', 'worker', 'shared_worker', 'service_worker'] as const).find((kind) => kind === type);
}

function tooHeavy(): PlatenError {
  return new PlatenError(
    'page_too_heavy',
    `the page has more than ${String(MOST_TARGETS)} cross-site iframes, workers and popups at a time`,
  );
}

function targetEnded(kind: TargetKind): PlatenError {
  return new PlatenError('page_crashed', `the ${kind.replace('_', ' ')} has ended`, { retryable: true });
}
