import { PlatenError, type DeviceProfile, type Rect } from '@platen/kernel';
import { fitSize, type Size } from '@platen/lib-geometry';
import { describeExcess, type Film } from './film.js';
import { drawnScale } from './limits.js';
import type { FrameCrop, FramesCaptureOptions } from './frames-capture.js';

/** What the encoder makes of each picture. */
export interface FilmFrame extends Size {
  readonly crop?: FrameCrop;
}

export interface FrameRequest {
  /** Of the browser's pictures. */
  readonly source: Size;
  /** In pixels of these. */
  readonly area: Rect | undefined;
  readonly profile: Pick<DeviceProfile, 'width' | 'height' | 'deviceScaleFactor'>;
  readonly film: Film;
  readonly options: FramesCaptureOptions;
  readonly type: string;
}

/** Size of the film and the part of the pictures that it shows: of what is wanted the largest part that has the wanted ratio, from the top and the middle. */
export function planFilmFrame(request: FrameRequest): FilmFrame {
  const { source, film, profile } = request;
  const area = request.area === undefined ? { x: 0, y: 0, ...source } : clip(request.area, source);
  const shrink = profile.deviceScaleFactor / drawnScale(profile.deviceScaleFactor);
  const exact = request.area === undefined ? sizeOfViewport(source, profile) : { width: area.width * shrink, height: area.height * shrink };
  const { width, height, factor } = fitSize(exact, film.asked);
  const zoom = factor * shrink;
  refuseTooLarge({ width, height }, request);
  const shown = { width: Math.min(area.width, roundSide(width / zoom)), height: Math.min(area.height, roundSide(height / zoom)) };
  const crop = { x: area.x + Math.floor((area.width - shown.width) / 2), y: area.y, ...shown };
  const whole = shown.width === source.width && shown.height === source.height;
  return { width, height, ...(whole ? {} : { crop }) };
}

/** In device pixels, as the render wants them. A side that the viewport has is known exactly; a page's height only by its picture. */
function sizeOfViewport(source: Size, { deviceScaleFactor: scale, ...viewport }: FrameRequest['profile']): Size {
  const drawn = drawnScale(scale);
  if (drawn === scale) return source;
  const side = (pixels: number, length: number) => (pixels === Math.ceil(length * drawn) ? length * scale : (pixels * scale) / drawn);
  return { width: side(source.width, viewport.width), height: side(source.height, viewport.height) };
}

function roundSide(length: number): number {
  return Math.max(1, Math.round(length));
}

function clip(area: Rect, { width, height }: Size): Rect {
  const x = Math.min(area.x, width - 1);
  const y = Math.min(area.y, height - 1);
  return { x, y, width: Math.min(area.width, width - x), height: Math.min(area.height, height - y) };
}

function refuseTooLarge(size: Size, { film, options, type }: FrameRequest): void {
  const { maxWidth = Infinity, maxHeight = Infinity } = options;
  const sides = `"${film.kind}_width" or "${film.kind}_height"`;
  if (size.width > maxWidth || size.height > maxHeight) {
    throw new PlatenError(
      'capture_too_large',
      `the film would be ${String(size.width)} x ${String(size.height)} pixels, and ${type} holds at most ${String(maxWidth)} x ${String(maxHeight)}: ask for less with ${sides}`,
    );
  }
  const excess = describeExcess(film, size);
  if (excess !== undefined) throw new PlatenError('capture_too_large', excess);
}
