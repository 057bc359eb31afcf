import { openIsolatedFrameWorld, type Page, type PageFrame, type TargetSession } from '@platen/kernel';
import type { Point } from './action.js';

/** Milliseconds for a response of a frame's process, which may hang. */
const FRAME_MS = 2_000;

export type Frame = PageFrame;

/** The frames of a page by their ids, the main frame first. A frame that does not respond is missing, with those in it. */
export type Frames = ReadonlyMap<string, Frame>;

export async function readFrames(page: Page): Promise<Frames> {
  const all = new Map((await page.frames(FRAME_MS)).map((frame) => [frame.id, frame]));
  return new Map([...all].filter(([, frame]) => pathOf(frame, all).at(-1)?.id === page.mainFrameId));
}

/** The frame and those around it, up to the top. */
export function pathOf(frame: Frame, frames: Frames): readonly Frame[] {
  const parent = frame.parentId === undefined ? undefined : frames.get(frame.parentId);
  return [frame, ...(parent === undefined ? [] : pathOf(parent, frames))];
}

/** What a process shows of a page: positions in it are CSS pixels from the corner of its outermost frame's viewport. */
export interface Layer {
  readonly session: TargetSession;
  readonly width: number;
  readonly height: number;
  readonly scroll: Point;
  /** The frame's element in the layer around it; undefined at the top. */
  readonly owner: { readonly backendNodeId: number; readonly content: readonly number[] } | undefined;
}

/** The layers from the frame's own process to the page's. Rejects if a frame is gone. */
export async function readLayers(frame: Frame, frames: Frames): Promise<readonly Layer[]> {
  const path = pathOf(frame, frames);
  const roots = path.filter((one, index) => path[index + 1]?.session !== one.session);
  return Promise.all(roots.map((root) => readLayer(root, path[path.indexOf(root) + 1])));
}

async function readLayer({ id, session }: Frame, parent: Frame | undefined): Promise<Layer> {
  const limit = { timeoutMs: FRAME_MS };
  const view = openIsolatedFrameWorld(session, id, limit).then(({ evaluate }) => evaluate(readView));
  const owner = parent === undefined ? undefined : await readOwner(id, parent.session);
  return { session, owner, ...(await view) };
}

async function readOwner(frameId: string, session: TargetSession): Promise<NonNullable<Layer['owner']>> {
  const limit = { timeoutMs: FRAME_MS };
  const { backendNodeId } = await session.send('DOM.getFrameOwner', { frameId }, limit);
  const { model } = await session.send('DOM.getBoxModel', { backendNodeId }, limit);
  return { backendNodeId, content: model.content };
}

/** Runs in the page; must not capture outer variables. */
function readView(): Pick<Layer, 'width' | 'height' | 'scroll'> {
  return { width: innerWidth, height: innerHeight, scroll: { x: scrollX, y: scrollY } };
}

/** A position in a layer as one in the layer around it. Frames may be transformed. */
export function toOuter({ x, y }: Point, { width, height, owner }: Layer): Point {
  const [left = 0, top = 0, rightX = 0, rightY = 0, , , bottomX = 0, bottomY = 0] = owner?.content ?? [];
  if (owner === undefined || width === 0 || height === 0) return { x, y };
  return {
    x: left + ((rightX - left) * x) / width + ((bottomX - left) * y) / height,
    y: top + ((rightY - top) * x) / width + ((bottomY - top) * y) / height,
  };
}

/** A position in the first layer as one in the page's viewport. */
export function toViewport(point: Point, layers: readonly Layer[]): Point {
  return layers.reduce(toOuter, point);
}
