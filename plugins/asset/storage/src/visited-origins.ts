import { type EventPayload, listFrames, type Page, type ProtocolSession, type TargetInitializer, type TargetSession } from '@platen/kernel';

/** The origins of first-party storage that documents of the render could access, in order of their first visit. */
export interface VisitedOrigins {
  readonly all: readonly string[];
}

/** A current frame at an origin whose first-party storage it can access. */
export interface LiveFrame {
  readonly session: ProtocolSession;
  readonly frameId: string;
  readonly origin: string;
  /** True if it is in the captured tab: `sessionStorage` is separate for each tab. */
  readonly primary: boolean;
}

type Frame = EventPayload<'Page.frameNavigated'>['frame'];

/** Limit for pages that create very many frames. */
const MAX_FRAMES = 200;
/** A page that does not respond in this time may be in an endless loop. */
const ASK_MS = 5000;

/** Tracks the frames of all pages from now on. */
export function trackOrigins({ targets }: Page): VisitedOrigins {
  const origins = new Set<string>();
  const visit = async (target: TargetSession, { id, parentId, securityOrigin }: Frame): Promise<void> => {
    if (!/^https?:/.test(securityOrigin) || origins.has(securityOrigin)) return;
    const own = parentId === undefined || (await ownOrigin(target, id)) === securityOrigin;
    if (own) origins.add(securityOrigin);
  };
  const follow: TargetInitializer = (target) => {
    if (!target.hasDocuments) return [];
    target.on('Page.frameNavigated', ({ frame }) => {
      // A frame that disappears this early had no time to store anything.
      visit(target, frame).catch(() => undefined);
    });
    return target.kind === 'iframe' ? [target.send('Page.enable')] : [];
  };
  targets.configure(follow);
  return {
    get all() {
      return [...origins];
    },
  };
}

/** The current frames, one per origin: frames of the captured page before those of popups. */
export async function findLiveFrames(page: Page): Promise<readonly LiveFrame[]> {
  const own = page.frameTargets();
  const ownIds = new Set(own.map(({ targetId }) => targetId));
  const others = page.targets.all.filter(({ hasDocuments, targetId }) => hasDocuments && !ownIds.has(targetId));
  const find = (target: TargetSession) => framesOf(target, { primary: ownIds.has(target.targetId) }).catch(() => []);
  const found = await Promise.all([...own, ...others].map(find));
  const byOrigin = new Map<string, LiveFrame>();
  for (const frame of found.flat()) if (!byOrigin.has(frame.origin)) byOrigin.set(frame.origin, frame);
  return [...byOrigin.values()];
}

async function framesOf(session: TargetSession, { primary }: Pick<LiveFrame, 'primary'>): Promise<readonly LiveFrame[]> {
  const frames = (await listFrames(session, ASK_MS)).slice(0, MAX_FRAMES);
  const origins = await Promise.all(frames.map(({ id }) => ownOrigin(session, id).catch(() => undefined)));
  return frames.flatMap(({ id: frameId }, index) => {
    const origin = origins[index];
    return origin === undefined ? [] : [{ session, frameId, origin, primary }];
  });
}

/**
 * The origin whose first-party storage the frame can access. Undefined without such storage and for a frame below another site: browsers
 * partition its storage by that site (the key then has parts after `^`), which a storage state cannot represent.
 */
async function ownOrigin(session: ProtocolSession, frameId: string): Promise<string | undefined> {
  const { storageKey } = await session.send('Storage.getStorageKey', { frameId }, { timeoutMs: ASK_MS });
  return /^https?:\/\/[^/^]+\/$/.test(storageKey) ? storageKey.slice(0, -1) : undefined;
}
