import type { Rect } from '@platen/kernel';
import type { KnownElement } from '@platen/lib-view';
import type { ElementFacts } from './action.js';
import type { PageElement } from './element.js';
import { readFacts } from './in-page/index.js';
import { type Layer, pathOf, readLayers, toViewport } from './frames.js';

/** The element's facts; its box is empty if it is not rendered. */
export async function describeElement(element: PageElement, { role, name }: Pick<KnownElement, 'role' | 'name'>): Promise<ElementFacts> {
  const { frame, frames } = element;
  const [facts, layers] = await Promise.all([element.call(readFacts), readLayers(frame, frames).catch(() => [])]);
  const quads = await readQuads(element);
  return { role, name, ...facts, frameUrls: pathOf(frame, frames).map(({ url }) => url), box: boundsOf(quads, layers) };
}

/** Corners of the element's boxes in its process's layer; none if it is not rendered. */
export async function readQuads({ frame, backendNodeId }: PageElement): Promise<readonly (readonly number[])[]> {
  return frame.session.send('DOM.getContentQuads', { backendNodeId }).then(
    ({ quads }) => quads,
    () => [],
  );
}

function boundsOf(quads: readonly (readonly number[])[], layers: readonly Layer[]): Rect {
  const corners = quads.flatMap((quad) => [0, 2, 4, 6].map((at) => toViewport({ x: quad[at] ?? 0, y: quad[at + 1] ?? 0 }, layers)));
  if (corners.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}
