import type { ProtocolSession, Result, TargetSession } from '../protocol/contract.js';
import type { Page, PageFrame } from './contract.js';
import { openIsolatedFrameWorld } from './isolated-frame-world.js';

/** The frames in the session's process: its own first, then its descendants. */
export async function listFrames(
  session: Pick<ProtocolSession, 'send'>,
  timeoutMs?: number,
): Promise<readonly Omit<PageFrame, 'session'>[]> {
  const { frameTree } = await session.send('Page.getFrameTree', undefined, timeoutMs === undefined ? {} : { timeoutMs });
  return flatten(frameTree);
}

function flatten({ frame, childFrames = [] }: Result<'Page.getFrameTree'>['frameTree']): readonly Omit<PageFrame, 'session'>[] {
  const { id, parentId, url, urlFragment = '' } = frame;
  return [{ id, parentId, url: url + urlFragment }, ...childFrames.flatMap(flatten)];
}

/** The frames of a page that is in these targets. */
export function createFrames(targets: () => readonly TargetSession[]): Pick<Page, 'frames' | 'inEveryFrame'> {
  const frames = async (timeoutMs?: number): Promise<readonly PageFrame[]> => {
    const list = async (session: TargetSession) => (await listFrames(session, timeoutMs)).map((frame) => ({ ...frame, session }));
    return (await Promise.all(targets().map((session) => list(session).catch(() => [])))).flat();
  };
  return {
    frames,
    async inEveryFrame(run, options = {}) {
      const all = await frames(options.timeoutMs);
      const open = async (frame: PageFrame) => [await run(await openIsolatedFrameWorld(frame.session, frame.id, options), frame)];
      return (await Promise.all(all.map((frame) => open(frame).catch(() => [])))).flat();
    },
  };
}
