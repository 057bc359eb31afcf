import { addSourceUrl, openIsolatedFrameWorld, type IsolatedFrameWorld, type Page } from '@platen/kernel';
import { NO_TIMEOUT } from './frame-world.js';
import { collectText, PIECE } from './pieces.js';
import { readContent } from './read-content.js';

/** A document as read, with a comment for each frame that must be read separately. */
export interface UnreadFrames {
  readonly html: string;
  readonly images: readonly string[];
  readonly frames: number;
  readonly mark: string;
  readonly frameId: string;
}

export interface Inlined {
  readonly html: string;
  readonly images: readonly string[];
}

/** Nesting depth of frames; readable pages do not nest deeper. */
const MAX_DEPTH = 8;

/**
 * Inlines the content of frames: cross-site iframes, which run in separate processes, and frames of the same process that only their own
 * document may access. A frame that is gone meanwhile adds nothing.
 */
export async function inlineFrames(page: Page, unread: UnreadFrames): Promise<Inlined> {
  const world = await openIsolatedFrameWorld(page, unread.frameId, NO_TIMEOUT);
  return inlineBelow(page, { unread, world, depth: 1 });
}

interface Level {
  readonly unread: UnreadFrames;
  readonly world: IsolatedFrameWorld;
  readonly depth: number;
}

async function inlineBelow(page: Page, { unread, world, depth }: Level): Promise<Inlined> {
  const { html, images, frames, mark } = unread;
  const read = await Promise.all(
    Array.from({ length: frames }, (_, index) => readFrame(page, { index, world, depth, mark }).catch(() => ({ html: '', images: [] }))),
  );
  const parts = html.split(new RegExp(`<!--${mark}:(\\d+)-->`));
  // Every second part is the number that the pattern captured.
  const joined = parts.map((part, at) => (at % 2 === 0 ? part : asBlock(read[Number(part)]?.html ?? '')));
  return { html: joined.join(''), images: [...new Set([...images, ...read.flatMap((frame) => frame.images)])] };
}

function asBlock(html: string): string {
  return html.trim() === '' ? '' : `<div>${html}</div>`;
}

interface FramePlace {
  /** Index of the frame among the frames that its parent's world could not access. */
  readonly index: number;
  readonly world: IsolatedFrameWorld;
  readonly depth: number;
  readonly mark: string;
}

async function readFrame(page: Page, { index, world, depth, mark }: FramePlace): Promise<Inlined> {
  if (depth > MAX_DEPTH) return { html: '', images: [] };
  const frameId = await frameIdOf(world, index);
  // A frame with its own process is a target, under the frame's id.
  const own = page.targets.all.find(({ kind, targetId }) => kind === 'iframe' && targetId === frameId);
  const inner = await openIsolatedFrameWorld(own ?? world.session, frameId, NO_TIMEOUT);
  const read = await inner.evaluate(readContent, { selector: null, mark, mobile: false, most: PIECE });
  const html = await collectText(inner, read.piece);
  return inlineBelow(page, { unread: { html, images: read.images, frames: read.frames, mark, frameId }, world: inner, depth: depth + 1 });
}

async function frameIdOf({ session, contextId }: IsolatedFrameWorld, index: number): Promise<string> {
  const { result } = await session.send('Runtime.callFunctionOn', {
    functionDeclaration: addSourceUrl('function (index) { return platenFrames[index]; }'),
    arguments: [{ value: index }],
    executionContextId: contextId,
  });
  const { objectId } = result;
  if (objectId === undefined) throw new Error('the frame is gone');
  const { node } = await session.send('DOM.describeNode', { objectId });
  if (node.frameId === undefined) throw new Error('the frame is gone');
  return node.frameId;
}
