import type { EventPayload } from './contract.js';
import type { RawConnection, RawSession } from './raw-session.js';

export type Attached = EventPayload<'Target.attachedToTarget'>;

/** Flat sessions; each target starts paused (waitForDebuggerOnStart). */
export const AUTO_ATTACH = { autoAttach: true, flatten: true, waitForDebuggerOnStart: true } as const;

/** One auto-attach for the whole browser; its targets are routed by browser context. */
export interface TargetRouter {
  readonly connection: RawConnection;
  /** Called for every new target in the context, which is paused (waitForDebuggerOnStart); the callee resumes it. */
  route(browserContextId: string, adopt: (raw: RawSession, attached: Attached) => void): () => void;
  /** An additional session on a target that was already reported. */
  attach(targetId: string): Promise<RawSession>;
}

/**
 * Pages attach directly, without the `tab` in between: popups without an opener would slip through there. Two concurrent
 * auto-attaches would resume each other's shared workers and popups, hence one for all contexts.
 */
export async function createTargetRouter(root: RawSession, connection: RawConnection): Promise<TargetRouter> {
  const routes = new Map<string, (raw: RawSession, attached: Attached) => void>();
  // Reported as if they were new, but their targets are not paused and already have an owner.
  const attaching = new Set<string>();
  root.on('Target.attachedToTarget', (attached) => {
    if (attaching.has(attached.targetInfo.targetId)) return;
    const raw = connection.session(attached.sessionId);
    if (!raw) return;
    const adopt = routes.get(attached.targetInfo.browserContextId ?? '');
    if (adopt) adopt(raw, attached);
    else resume(raw);
  });
  await root.send('Target.setAutoAttach', {
    ...AUTO_ATTACH,
    filter: [{ type: 'browser', exclude: true }, { type: 'tab', exclude: true }, {}],
  });
  return {
    connection,
    route(browserContextId, adopt) {
      routes.set(browserContextId, adopt);
      return () => {
        routes.delete(browserContextId);
      };
    },
    async attach(targetId) {
      attaching.add(targetId);
      try {
        const { sessionId } = await root.send('Target.attachToTarget', { targetId, flatten: true });
        const raw = connection.session(sessionId);
        if (!raw) throw new Error('the target has ended');
        return raw;
      } finally {
        attaching.delete(targetId);
      }
    },
  };
}

/** Resumes a paused target. The target may be gone before it responds. */
export function resume(raw: RawSession): void {
  raw.send('Runtime.runIfWaitingForDebugger', undefined, { timeout: 0 }).catch(() => undefined);
}
